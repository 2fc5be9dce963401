import { type EntryType, kindOf } from "../entry-type.ts";
import { isQnxFsError, QnxFsError } from "../errors.ts";
import { mapInParallel } from "../parallel.ts";
import type { OpenTarget } from "../targets.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { gatherTree, type Tree } from "./gather-tree.ts";
import { locateForWriting, lstatWritable } from "./locate-for-writing.ts";

export interface DeleteRequest {
  readonly path: string;
  readonly recursive: boolean;
  /** How many entries a directory holds, itself among them, as a dry run told. */
  readonly expectedCount: number | undefined;
  readonly dryRun: boolean;
}

export interface Deleted {
  readonly realPath: string;
  readonly type: EntryType;
  /** The entries that were removed or would be, the path itself among them. */
  readonly count: number;
  readonly bytes: number;
  /** The first of them. */
  readonly sample: readonly string[];
}

const removedAtOnce = 8;
const sampleSize = 20;

/** Removes a file or link, or a directory with all that is in it when its count is known. Links are never followed. */
export async function deletePath(
  target: OpenTarget,
  request: DeleteRequest,
  progress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<Deleted> {
  const { path, dryRun } = request;
  const located = await locateForWriting(target, path, signal);
  const { mode, size } = await lstatWritable(target, located, signal);
  const { realPath } = located;
  const type = kindOf(mode, undefined, located.directory)?.type ?? "other";
  if (type !== "dir") {
    if (!dryRun) await removeOne(target, path, realPath, false, signal);
    return { realPath, type, count: 1, bytes: type === "file" ? (size ?? 0) : 0, sample: [realPath] };
  }
  assertRecursive(request);
  const tree = await gatherTree(target, path, realPath, signal);
  const all = [realPath, ...tree.entries.map((entry) => entry.realPath)];
  if (!dryRun) {
    assertCount(request, all.length);
    await removeTree(target, path, realPath, tree, progress, signal);
  }
  return { realPath, type, count: all.length, bytes: tree.bytes, sample: all.slice(0, sampleSize) };
}

function assertRecursive({ path, recursive, expectedCount, dryRun }: DeleteRequest): void {
  const next =
    "Call file_delete with recursive: true and dry_run: true, then pass its count as expected_count.";
  if (!recursive) {
    const problem = `${JSON.stringify(path)} is a directory`;
    throw new QnxFsError("INVALID_ARGUMENT", { argument: "recursive", problem, next });
  }
  if (!dryRun && expectedCount === undefined) {
    const problem = "a directory is removed only when the number of entries in it is given";
    throw new QnxFsError("INVALID_ARGUMENT", { argument: "expected_count", problem, next });
  }
}

function assertCount({ path, expectedCount }: DeleteRequest, count: number): void {
  if (expectedCount === count) return;
  throw new QnxFsError("INVALID_ARGUMENT", {
    argument: "expected_count",
    problem: `${expectedCount} entries were expected in ${JSON.stringify(path)}, but there are ${count} now; nothing was removed`,
    next: "Look again with dry_run: true before passing another expected_count.",
  });
}

async function removeTree(
  target: OpenTarget,
  path: string,
  realPath: string,
  { entries }: Tree,
  progress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<void> {
  let done = 0;
  const total = entries.length + 1;
  const remove = async (each: string, directory: boolean): Promise<void> => {
    await removeOne(target, path, each, directory, signal);
    progress(++done, total);
  };
  const plain = entries.filter(({ type }) => type !== "dir");
  await mapInParallel(plain, removedAtOnce, (entry) => remove(entry.realPath, false));
  // What was found last lies deepest.
  const directories = entries.filter(({ type }) => type === "dir").toReversed();
  for (const directory of directories) await remove(directory.realPath, true);
  await remove(realPath, true);
}

async function removeOne(
  target: OpenTarget,
  path: string,
  realPath: string,
  directory: boolean,
  signal: AbortSignal,
): Promise<void> {
  try {
    if (directory) await target.files.removeDirectory(realPath, signal);
    else await target.files.removeFile(realPath, signal);
  } catch (error) {
    // Somebody else removed it.
    if (isQnxFsError(error, "NOT_FOUND") && realPath !== path) return;
    const change = directory ? "remove directory" : "remove";
    throw await explainRefusal(target, error, { change, path: realPath, realPath }, signal);
  }
}
