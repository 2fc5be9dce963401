import type { IndexProgress, ProgressReport } from "../document-index.ts";
import type { ListWalk } from "../listing/listing.ts";
import { nearest } from "../nearest.ts";
import { continueAfter } from "./continue-after.ts";
import { selectTags, type TagCount } from "./count-tags.ts";
import { buildingNote, changedNote, firstIndexMs, joinNotes, type SurveyLibrary } from "./survey-library.ts";

export interface TagRequest {
  readonly prefix: string;
  readonly sort: "count" | "name";
  readonly limit: number;
}

export interface TagPage {
  readonly tags: readonly TagCount[];
  readonly more: boolean;
  readonly total: number;
  readonly walk: ListWalk;
  readonly progress: IndexProgress;
  readonly note: string | undefined;
}

/** @throws VaultError INVALID_CURSOR */
export async function listTags(
  { prefix, sort, limit }: TagRequest,
  { index, survey }: Pick<SurveyLibrary, "index" | "survey">,
  position: { readonly after: string | undefined; readonly walk: ListWalk | undefined },
  signal: AbortSignal,
  report?: ProgressReport,
): Promise<TagPage> {
  const progress = await index.ready(firstIndexMs, signal, report);
  const { items, walk, changedSince } = await survey.tags(position.walk, signal);
  const selected = selectTags(items, prefix, sort);
  const { page, more } = continueAfter(selected, position.after, limit, ({ tag }) => tag);
  const isUnknown = progress.state !== "building" && selected.length === 0;
  return {
    tags: page,
    more,
    total: selected.length,
    walk,
    progress,
    note: joinNotes([
      buildingNote(progress),
      changedSince && changedNote,
      isUnknown && items.length === 0 && "No note has a tag.",
      isUnknown && items.length > 0 && noSuchTag(prefix, items),
    ]),
  };
}

function noSuchTag(prefix: string, tags: readonly TagCount[]): string {
  const wanted = prefix.replace(/^#/, "").replace(/\/$/, "");
  const close = nearest(
    wanted,
    tags.map(({ tag }) => tag),
    5,
  ).map((tag) => JSON.stringify(tag.slice(0, 100)));
  const name = JSON.stringify(prefix.slice(0, 100).toWellFormed());
  return `No tag begins with ${name}${close.length === 0 ? "" : `; nearest: ${close.join(", ")}`}.`;
}
