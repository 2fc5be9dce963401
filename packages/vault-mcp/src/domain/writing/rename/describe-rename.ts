import { noteOf } from "../describe-change.ts";
import type { DiffTexts } from "../diff-texts.ts";
import type { RenamedPath } from "./rename-path.ts";
import type { LinkChange } from "./rename-planner.ts";

/** How an answer is fitted to its size. */
export interface Fitting {
  /** Bytes of JSON for everything. */
  readonly budget: number;
  readonly diffTexts: DiffTexts;
  cutText(text: string, maxJsonBytes: number): string;
  takeWithin<Item>(items: readonly Item[], maxBytes: number): readonly Item[];
}

/** What an answer tells of a rename. */
export interface RenameDescription {
  path: string;
  new_path: string;
  renamed: boolean;
  links_changed: number;
  files_changed: number;
  files: { path: string; links: LinkChange[] }[];
  diff?: string;
  note?: string;
}

/** Bytes for everything beside the files and the diff. */
const besidesBytes = 4_000;
const mostDiffCharacters = 200_000;
const mostSpelled = 300;

export function describeRename(
  { path, newPath, renamed, files, notes }: RenamedPath,
  { budget, diffTexts, cutText, takeWithin }: Fitting,
): RenameDescription {
  const room = Math.max(budget - besidesBytes, 2_000);
  const entries = files.map((file) => ({ path: file.path, links: file.links.map(shorten) }));
  const listed = takeWithin(entries, renamed ? room : room / 2);
  const cut = listed.length < files.length ? [`files lists ${listed.length} of ${files.length}.`] : [];
  const whole = renamed ? "" : diffOf(files, diffTexts);
  const diff = cutText(whole, room / 2);
  if (diff.length < whole.length) cut.push("The diff is shortened to fit an answer's size.");
  return {
    path,
    new_path: newPath,
    renamed,
    links_changed: files.reduce((sum, { links }) => sum + links.length, 0),
    files_changed: files.length,
    files: [...listed],
    ...(!renamed && { diff }),
    ...noteOf([...notes, ...cut]),
  };
}

function shorten({ line, before, after }: LinkChange): LinkChange {
  const cut = (text: string) =>
    text.length <= mostSpelled ? text : `${text.slice(0, mostSpelled).toWellFormed()}…`;
  return { line, before: cut(before), after: cut(after) };
}

function diffOf(files: RenamedPath["files"], diffTexts: DiffTexts): string {
  let diff = "";
  for (const { path, before, after } of files) {
    if (diff.length > mostDiffCharacters) break;
    diff += diffTexts(path, before, after, mostDiffCharacters).text;
  }
  return diff;
}
