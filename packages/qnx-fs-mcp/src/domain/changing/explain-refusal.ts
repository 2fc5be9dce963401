import { kindOf } from "../entry-type.ts";
import { QnxFsError } from "../errors.ts";
import type { Attributes, Space } from "../remote-files.ts";
import { isWithin, parentOf } from "../remote-path.ts";
import type { Place } from "../roots.ts";

export type Change =
  | "create"
  | "write"
  | "rename"
  | "replace"
  | "remove"
  | "remove directory"
  | "make directory";

/** What was tried when the target refused. Paths are real ones. */
export interface Attempt {
  readonly change: Change;
  /** As the caller gave it, for the answer. */
  readonly path: string;
  /** What would have been changed. */
  readonly realPath: string;
  /** Bytes that were still to be stored. */
  readonly needed?: number;
}

/**
 * SFTP answers most refusals with "Failure" and nothing else. Looks at the target for what explains it: a full or
 * read-only file system, something in the way, a running executable. Gives back other failures as they are.
 */
export async function explainRefusal(
  place: Place,
  error: unknown,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<unknown> {
  if (!(error instanceof QnxFsError) || error.code !== "REFUSED_BY_TARGET" || signal.aborted) return error;
  const { target, files } = place;
  const { path, realPath, change, needed = 0 } = attempt;
  const [space, there] = await Promise.all([
    files.space(parentOf(realPath), signal).catch(() => undefined),
    files.lstat(realPath, signal).catch(() => undefined),
  ]);
  const stores = change === "create" || change === "write" || change === "make directory";
  if (stores && space !== undefined && !space.readOnly && space.free <= needed) {
    return new QnxFsError("NO_SPACE", { target, path, needed, free: space.free }, { cause: error });
  }
  if (there !== undefined && (change === "create" || change === "rename" || change === "make directory")) {
    return new QnxFsError("ALREADY_EXISTS", { target, path }, { cause: error });
  }
  const { operation, reply } = (error as QnxFsError<"REFUSED_BY_TARGET">).details;
  const causes = [...causesOf(attempt, space, there)];
  return new QnxFsError("REFUSED_BY_TARGET", { target, path, operation, reply, causes }, { cause: error });
}

function* causesOf(
  { change, realPath }: Attempt,
  space: Space | undefined,
  there: Attributes | undefined,
): Generator<string> {
  if (space?.readOnly) {
    yield "the file system is mounted read-only";
    return;
  }
  const type = there && kindOf(there.mode, undefined, parentOf(realPath))?.type;
  if (isWithin(realPath, "/dev/shmem")) {
    if (change === "rename" || change === "replace")
      return yield "/dev/shmem knows no renaming (file_get and file_put copy)";
    if (change === "make directory") return yield "/dev/shmem takes no directories";
  }
  if (type === "dir" && change === "remove directory") yield "the directory is not empty";
  if (type === "dir" && change === "replace") yield "there is a directory";
  if (type === "file" && ((there?.mode ?? 0) & 0o111) !== 0 && change !== "create") {
    yield "it is an executable that runs (stop it first)";
  }
  if (change === "rename" || change === "replace")
    yield "the two paths lie on different file systems (file_get and file_put copy)";
  if (space === undefined && (change === "create" || change === "write" || change === "make directory")) {
    yield "the file system is full";
  }
  if (space === undefined) yield "the file system is read-only, or fixed in the image";
  yield "an input/output error of the file system";
}
