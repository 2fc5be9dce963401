import { isUtf8 } from "node:buffer";
import { aliasesOf } from "../../aliases.ts";
import { type ParseYaml, readFrontmatter } from "../../frontmatter.ts";
import { holdsLinks } from "./links-of.ts";
import type { Move } from "./moves.ts";
import { pathBefore } from "./moves.ts";
import type { ChangedFile, RenameFiles, ScannedFile } from "./rename-files.ts";
import {
  createRenamePlanner,
  type LinkChange,
  type LinkedFiles,
  type RenamePlanner,
} from "./rename-planner.ts";

export interface PlannedFile extends ChangedFile {
  readonly changes: readonly LinkChange[];
}

export interface RenamePlan {
  readonly files: readonly PlannedFile[];
  /** Links that must stay as they are, since their place cannot spell the new path. */
  readonly failed: readonly { readonly path: string; readonly link: string }[];
  /** Files whose links were not looked at, since they are no UTF-8 text. */
  readonly unread: readonly string[];
  /** How many steps of progress the plan took. */
  readonly steps: number;
}

export interface PlanOptions {
  readonly parseYaml: ParseYaml;
  readonly signal: AbortSignal;
  progress(done: number, total: number): void;
}

const reportEvery = 200;

/** Reads the vault's texts and works out what a move does to their links. */
export async function planRename(
  files: RenameFiles,
  move: Move,
  { parseYaml, signal, progress }: PlanOptions,
): Promise<RenamePlan> {
  const scanned = await files.scan(signal);
  const sources = scanned.filter(({ path, kind }) => holdsLinks(path, kind));
  let done = 0;
  const step = () => {
    signal.throwIfAborted();
    done += 1;
    if (done % reportEvery === 0) progress(done, sources.length * 2);
  };
  const linked = await readLinkedFiles(files, scanned, parseYaml, step);
  const planner = createRenamePlanner(linked, move, parseYaml);
  const planned: PlannedFile[] = [];
  const failed: { path: string; link: string }[] = [];
  const unread: string[] = [];
  for (const { path } of sources) {
    step();
    const before = await files.readContent(path);
    if (before === undefined || !isUtf8(before)) {
      unread.push(path);
      continue;
    }
    const text = before.toString("utf8");
    if (!planner.mayConcern(path, text)) continue;
    const rewritten = planner.rewrite(path, text);
    failed.push(...rewritten.failed.map((link) => ({ path, link })));
    if (rewritten.text === text) continue;
    planned.push({ path, before, after: Buffer.from(rewritten.text), changes: rewritten.changes });
  }
  return { files: planned, failed, unread, steps: done };
}

/** The vault's files and the aliases of its notes. */
export async function readLinkedFiles(
  files: RenameFiles,
  scanned: readonly ScannedFile[],
  parseYaml: ParseYaml,
  step: () => void,
): Promise<LinkedFiles> {
  const aliases = new Map<string, readonly string[]>();
  for (const { path, kind } of scanned) {
    if (!holdsLinks(path, kind)) continue;
    step();
    if (kind !== "note") continue;
    const text = (await files.readContent(path))?.toString("utf8") ?? "";
    if (!/^\ufeff?---/.test(text) || !text.includes("alias")) continue;
    const names = aliasesOf(readFrontmatter(text, parseYaml).data);
    if (names.length > 0) aliases.set(path, names);
  }
  return { files: scanned.map(({ path }) => path), aliases };
}

/**
 * A planner for a move that is done already, or may be: for the files of a rename that a crash cut short.
 *
 * @returns takes paths as they were before the move.
 */
export async function replanRename(
  files: RenameFiles,
  move: Move,
  { parseYaml, signal }: Omit<PlanOptions, "progress">,
): Promise<RenamePlanner> {
  const scanned = await files.scan(signal);
  const now = await readLinkedFiles(files, scanned, parseYaml, () => {});
  const before = {
    files: now.files.map((path) => pathBefore(move, path)),
    aliases: new Map([...now.aliases].map(([path, names]) => [pathBefore(move, path), names])),
  };
  return createRenamePlanner(before, move, parseYaml);
}
