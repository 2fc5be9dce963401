import { VaultError } from "../../errors.ts";
import { parseWritePath } from "../write-path.ts";
import { refreshIndex, type WritingDeps } from "../writing-deps.ts";
import { type Move, movedPath } from "./moves.ts";
import type { RenamePlan } from "./plan-rename.ts";
import type { MovableItem, MoveOutcome } from "./rename-files.ts";
import type { LinkChange } from "./rename-planner.ts";

export interface RenameRequest {
  /** As the caller wrote them. */
  readonly path: string;
  readonly newPath: string;
  readonly updateLinks: boolean;
  readonly dryRun: boolean;
}

/** A file whose links changed. */
export interface RenamedFile {
  /** After the rename. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly links: readonly LinkChange[];
}

export interface RenamedPath {
  readonly path: string;
  readonly newPath: string;
  readonly renamed: boolean;
  /** Those whose text on the disk is the new one; of a dry run, those that would be changed. */
  readonly files: readonly RenamedFile[];
  readonly notes: readonly string[];
}

const nearestWaitMs = 2_000;
const nothing: RenamePlan = { files: [], failed: [], unread: [], steps: 0 };
const mostNamed = 5;

/**
 * Moves a document or folder and keeps the vault's links whole.
 *
 * @throws VaultError INVALID_ARGUMENT, NOT_FOUND with the nearest paths, and what `RenameFiles` throws.
 */
export async function renamePath(
  deps: WritingDeps,
  { path: given, newPath: newGiven, updateLinks, dryRun }: RenameRequest,
  signal: AbortSignal,
  progress: (done: number, total: number) => void,
): Promise<RenamedPath> {
  const path = parseWritePath("path", given, deps.place);
  const newPath = parseWritePath("new_path", newGiven, deps.place);
  // Readers of Markdown and links are large, and few sessions rename.
  const [{ yaml }, { planRename }] = await Promise.all([deps.loadEditingTools(), import("./plan-rename.ts")]);
  const { renames } = deps;
  let underWay: Renamed | undefined;
  const turn = deps.files.exclusively(signal, async (): Promise<Renamed> => {
    const item = await renames.findItem(path, given);
    if (item === undefined) throw await notFound(deps, path, given, signal);
    refuseInside(item, newPath);
    const { path: to, scope } = await renames.findTarget(item, newPath, newGiven);
    if (to === item.path)
      refuse("new_path", "is the path that it has already", "Call again with another new_path.");
    const move = { from: item.path, to };
    const options = { parseYaml: yaml.parse, signal, progress, index: deps.links };
    const plan = updateLinks ? await planRename(renames, move, options) : nothing;
    const planned = { move, scope, plan, outcome: undefined, changed: 0 };
    if (dryRun) return { ...planned, changed: plan.files.length };
    signal.throwIfAborted();
    const outcome = await renames.move(item, to, newGiven, plan.files, signal, {
      moved: () => {
        underWay = planned;
      },
      changed: (changed) => {
        underWay = { ...planned, changed };
        progress(plan.steps + changed, plan.steps + plan.files.length);
      },
    });
    return { ...planned, outcome, changed: plan.files.length };
  });
  const refresh = ({ move, scope, plan }: Renamed, within: AbortSignal) => {
    const texts = plan.files.map((file) => movedPath(move, file.path));
    return refreshIndex(deps, [move.from, scope, ...texts], within);
  };
  // Once the item is moved the call cannot be stopped any more: its answer tells how far it is.
  const renamed = await Promise.race([turn, stopped(signal, () => underWay)]);
  if (renamed === underWay) {
    turn.then((later) => refresh(later, new AbortController().signal)).catch(() => {});
    return describe(renamed, true, [goesOn(renamed)]);
  }
  return describe(renamed, !dryRun, dryRun ? [] : await refresh(renamed, signal));
}

/** A rename that was planned and, perhaps, carried out. */
interface Renamed {
  readonly move: Move;
  readonly scope: string;
  readonly plan: RenamePlan;
  /** Undefined where it is not done. */
  readonly outcome: MoveOutcome | undefined;
  /** How many of the plan's files are changed, or would be. */
  readonly changed: number;
}

function describe(
  { move, plan, outcome, changed }: Renamed,
  renamed: boolean,
  late: readonly string[],
): RenamedPath {
  const left = new Set(outcome?.left.map((one) => one.path));
  const files = plan.files.slice(0, changed).map(({ path, before, after, changes }) => ({
    path: movedPath(move, path),
    before: before.toString("utf8"),
    after: after.toString("utf8"),
    links: changes,
  }));
  return {
    path: move.from,
    newPath: move.to,
    renamed,
    files: files.filter((file) => !left.has(file.path)),
    notes: [...describePlan(plan), ...describeOutcome(outcome), ...late],
  };
}

/** Resolves once the signal is aborted, if there is anything to tell then; never otherwise. */
function stopped<Value>(signal: AbortSignal, soFar: () => Value | undefined): Promise<Value> {
  return new Promise((resolve) => {
    const tell = () => {
      const value = soFar();
      if (value !== undefined) resolve(value);
    };
    signal.addEventListener("abort", tell, { once: true });
  });
}

function goesOn({ plan, changed }: Renamed): string {
  const rest = plan.files.length - changed;
  return `The time for an answer is up: the links in ${rest} more files are still being changed. The server goes on with them, also after a crash; other writers wait until it is done.`;
}

function refuse(argument: string, problem: string, next: string): never {
  throw new VaultError("INVALID_ARGUMENT", { argument, problem, next });
}

function refuseInside({ path, isFolder }: MovableItem, newPath: string): void {
  if (!isFolder || !newPath.startsWith(`${path}/`)) return;
  refuse(
    "new_path",
    "lies inside the folder that is to be moved",
    "Call again with a new_path outside of it.",
  );
}

async function notFound({ index }: WritingDeps, path: string, given: string, signal: AbortSignal) {
  await index.ready(nearestWaitMs, signal);
  return new VaultError("NOT_FOUND", { path: given, nearest: await index.nearestPaths(path, mostNamed) });
}

function describePlan({ failed, unread }: RenamePlan): string[] {
  const notes: string[] = [];
  if (failed.length > 0) {
    const some = failed.slice(0, mostNamed).map(({ path, link }) => `${JSON.stringify(link)} in ${path}`);
    notes.push(
      `${failed.length} links cannot spell the new path where they stand and were left: ${some.join(", ")}.`,
    );
  }
  if (unread.length > 0) {
    notes.push(
      `Links in ${unread.length} files were not looked at, since they are no UTF-8 text or cannot be read: ${unread.slice(0, mostNamed).join(", ")}.`,
    );
  }
  return notes;
}

function describeOutcome(outcome: MoveOutcome | undefined): string[] {
  if (outcome === undefined) return [];
  const notes: string[] = [];
  const { left, reworked, parted } = outcome;
  if (left.length > 0) {
    const some = left.slice(0, mostNamed).map(({ path, reason }) => `${path} (${reason})`);
    notes.push(`Links in ${left.length} files could not be changed: ${some.join(", ")}.`);
  }
  if (reworked.length > 0) {
    const some = reworked.slice(0, mostNamed).join(", ");
    notes.push(`Another program saved ${some} at the same moment; the links there were changed in its text.`);
  }
  if (parted.length > 0) {
    const some = parted.slice(0, mostNamed).join(", ");
    notes.push(`Other names (hard links) of ${some} keep the old text.`);
  }
  return notes;
}
