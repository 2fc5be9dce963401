import { isQnxFsError, QnxFsError } from "../errors.ts";
import type { Attributes } from "../remote-files.ts";
import { isWithin, parentOf } from "../remote-path.ts";
import { locateWithinRoots, lstatWithinRoots } from "../roots.ts";
import type { OpenTarget } from "../targets.ts";

const sharedMemory = "/dev/shmem";

/** Where a change would happen. */
export interface WritablePath {
  /** As the caller gave it. */
  readonly path: string;
  /** With the links of its directory resolved; its own last component is not followed. */
  readonly realPath: string;
  readonly directory: string;
  /** It lies in RAM: no directories, no renaming, gone after a restart. */
  readonly inRam: boolean;
}

/** Where an entry below a write root really lies; the roots themselves are not for changing. Its directory must be there. */
export async function locateForWriting(
  target: OpenTarget,
  path: string,
  signal: AbortSignal,
): Promise<WritablePath> {
  const place = { target: target.target, files: target.files, roots: target.writeRoots };
  const realPath = await locateWithinRoots(place, path, signal).catch((error: unknown) => {
    throw error instanceof QnxFsError && error.code === "OUTSIDE_ROOTS"
      ? new QnxFsError("OUTSIDE_ROOTS", { ...(error as QnxFsError<"OUTSIDE_ROOTS">).details, writing: true })
      : error;
  });
  assertNoRoot(target, path, realPath);
  assertWritableRealm(target, path, realPath);
  const directory = parentOf(realPath);
  return { path, realPath, directory, inRam: isWithin(directory, sharedMemory) };
}

/** Refuses a root, and a directory that holds one. */
function assertNoRoot({ target, roots, writeRoots }: OpenTarget, path: string, realPath: string): void {
  const all = [roots, writeRoots].flatMap(({ configured, resolved }) => [...configured, ...resolved]);
  const held = all.find((root) => isWithin(root, realPath) || isWithin(root, path));
  if (held === undefined) return;
  throw new QnxFsError("INVALID_ARGUMENT", {
    argument: "",
    problem: `${JSON.stringify(path)} ${held === path || held === realPath ? "is" : "holds"} a root of target ${target}, which is left alone`,
    next: "Pass a path below the root.",
  });
}

/** /proc and /dev are not for writing, whatever the roots say; shared memory is. */
function assertWritableRealm({ target, writeRoots }: OpenTarget, path: string, realPath: string): void {
  const inShared = isWithin(realPath, sharedMemory) && realPath !== sharedMemory;
  if (inShared || !(isWithin(realPath, "/proc") || isWithin(realPath, "/dev"))) return;
  throw new QnxFsError("OUTSIDE_ROOTS", {
    target,
    path,
    roots: writeRoots.configured,
    byLink: !isWithin(path, "/proc") && !isWithin(path, "/dev"),
    writing: true,
    closed: true,
  });
}

/** Where something new would lie. Fails with a NOT_FOUND of the directory that should hold it. */
export function locateForCreating(
  target: OpenTarget,
  path: string,
  signal: AbortSignal,
): Promise<WritablePath> {
  return locateForWriting(target, path, signal).catch((error: unknown) => {
    throw isQnxFsError(error, "NOT_FOUND") ? missingHolder(target, path, error) : error;
  });
}

/** What LSTAT tells of the directory that should hold something new; NOT_FOUND says that it has to be made. */
export function lstatHolder(
  target: OpenTarget,
  { path, directory }: WritablePath,
  signal: AbortSignal,
): Promise<Attributes> {
  return target.files.lstat(directory, signal).catch((error: unknown) => {
    throw isQnxFsError(error, "NOT_FOUND") ? missingHolder(target, path, error) : error;
  });
}

function missingHolder({ target }: OpenTarget, path: string, cause: unknown): QnxFsError {
  return new QnxFsError("NOT_FOUND", { target, path: parentOf(path), toMake: true }, { cause });
}

/** What LSTAT tells of a writable path. NOT_FOUND names the path that the caller gave. */
export function lstatWritable(target: OpenTarget, { path, realPath }: WritablePath, signal: AbortSignal) {
  return lstatWithinRoots(target, path, realPath, signal);
}
