import { isUtf8 } from "node:buffer";
import type { ParseYaml } from "../../note/frontmatter.ts";
import type { LinkIndex } from "./link-index.ts";
import { holdsLinks } from "./links-of.ts";
import type { Move } from "./moves.ts";
import { pathBefore } from "./moves.ts";
import { readLinkedFiles } from "./read-linked-files.ts";
import type { ChangedFile, RenameFiles } from "./rename-files.ts";
import { createRenamePlanner, type LinkChange, type RenamePlanner } from "./rename-planner.ts";

export interface PlannedFile extends ChangedFile {
  readonly changes: readonly LinkChange[];
}

export interface RenamePlan {
  readonly files: readonly PlannedFile[];
  /** Links that must stay as they are, since their place cannot spell the new path. */
  readonly failed: readonly { readonly path: string; readonly link: string }[];
  /** Files whose links were not looked at, since they are no UTF-8 text or cannot be read. */
  readonly unread: readonly string[];
  /** How many steps of progress the plan took. */
  readonly steps: number;
}

export interface PlanOptions {
  readonly parseYaml: ParseYaml;
  readonly signal: AbortSignal;
  /** Where it knows the vault, only files with links that the move concerns are read; else all of them. */
  readonly index?: LinkIndex;
  progress(done: number, total: number): void;
}

const reportEvery = 200;

/** Works out what a move does to the links of the vault. */
export async function planRename(files: RenameFiles, move: Move, options: PlanOptions): Promise<RenamePlan> {
  const steps = new Steps(options);
  const { planner, paths } = await findSources(files, move, options, steps);
  steps.total = steps.done + paths.length;
  const planned: PlannedFile[] = [];
  const failed: { path: string; link: string }[] = [];
  const unread: string[] = [];
  for (const path of paths) {
    steps.take();
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
  return { files: planned, failed, unread, steps: steps.done };
}

/** The files whose texts are to be looked at. */
async function findSources(
  files: RenameFiles,
  move: Move,
  { parseYaml, signal, index }: PlanOptions,
  steps: Steps,
): Promise<{ readonly planner: RenamePlanner; readonly paths: readonly string[] }> {
  const known = await index?.current(signal);
  if (index !== undefined && known !== undefined) {
    const planner = createRenamePlanner(known, move, parseYaml);
    const paths = new Set([...planner.moving, ...(await index.sources(planner.keys))]);
    return { planner, paths: [...paths].filter(holdsLinks) };
  }
  const scanned = await files.scan(signal);
  const paths = scanned.map(({ path }) => path).filter(holdsLinks);
  steps.total = paths.length * 2;
  const linked = await readLinkedFiles(files, scanned, parseYaml, () => steps.take());
  return { planner: createRenamePlanner(linked, move, parseYaml), paths };
}

/** How far a plan is. */
class Steps {
  total = 0;
  #done = 0;
  readonly #options: Pick<PlanOptions, "signal" | "progress">;

  constructor(options: Pick<PlanOptions, "signal" | "progress">) {
    this.#options = options;
  }

  get done(): number {
    return this.#done;
  }

  take(): void {
    const { signal, progress } = this.#options;
    signal.throwIfAborted();
    this.#done += 1;
    if (this.#done % reportEvery === 0) progress(this.#done, this.total);
  }
}

/**
 * A planner for a move that is done already, or may be: for the files of a rename that a crash cut short.
 *
 * @returns takes paths as they were before the move.
 */
export async function replanRename(
  files: RenameFiles,
  move: Move,
  { parseYaml, signal }: Pick<PlanOptions, "parseYaml" | "signal">,
): Promise<RenamePlanner> {
  const scanned = await files.scan(signal);
  const now = await readLinkedFiles(files, scanned, parseYaml, () => {});
  const before = {
    files: now.files.map((path) => pathBefore(move, path)),
    aliases: new Map([...now.aliases].map(([path, names]) => [pathBefore(move, path), names])),
  };
  return createRenamePlanner(before, move, parseYaml);
}
