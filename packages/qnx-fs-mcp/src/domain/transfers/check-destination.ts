import { lstatHolder, type WritablePath } from "../changing/locate-for-writing.ts";
import { kindOf } from "../entry-type.ts";
import { isQnxFsError, QnxFsError } from "../errors.ts";
import { lstatIfThere } from "../lstat-if-there.ts";
import type { Attributes } from "../remote-files.ts";
import type { OpenTarget } from "../targets.ts";

/** Bytes that a file system needs beside those of the file. */
const spare = 64 * 1024;

/**
 * Whether a file of `size` bytes can be put at a path: its directory is there, nothing but a file that may be replaced
 * is in the way, and there is room. Gives what would be replaced.
 */
export async function checkDestination(
  open: OpenTarget,
  to: WritablePath,
  size: number,
  overwrite: boolean,
  signal: AbortSignal,
): Promise<Attributes | undefined> {
  const { target, files } = open;
  const { path, realPath, directory, inRam } = to;
  // Asked all at once: on a line with a long way each question costs.
  const asked = [
    lstatHolder(open, to, signal),
    lstatIfThere(files, realPath, signal),
    files.space(directory, signal).catch((error: unknown) => {
      if (isQnxFsError(error, "CONNECTION_LOST") || signal.aborted) throw error;
      return undefined;
    }),
  ] as const;
  await Promise.allSettled(asked);
  const parentType = kindOf((await asked[0]).mode, undefined, directory)?.type ?? "dir";
  if (parentType !== "dir")
    throw new QnxFsError("NOT_A_DIRECTORY", { target, path: directory, type: parentType });
  const there = await asked[1];
  if (there !== undefined) {
    const kind = kindOf(there.mode, undefined, directory);
    if (kind?.type === "symlink") throw new QnxFsError("IS_LINK", { target, path });
    const isFile = kind === undefined || kind.type === "file" || kind.detail === "shm";
    if (!isFile) throw new QnxFsError("NOT_A_FILE", { target, path, type: kind.type });
    if (!overwrite) throw new QnxFsError("ALREADY_EXISTS", { target, path });
    if (inRam) throw refuseRam(path);
  }
  const space = await asked[2];
  if (space?.readOnly) {
    const causes = ["the file system is mounted read-only"];
    throw new QnxFsError("REFUSED_BY_TARGET", {
      target,
      path,
      operation: "STATVFS",
      reply: "read-only",
      causes,
    });
  }
  // What tells no size at all, as RAM does, cannot be measured.
  if (space !== undefined && space.total > 0 && space.free < size + Math.min(size, spare)) {
    throw new QnxFsError("NO_SPACE", { target, path, needed: size, free: space.free });
  }
  return there;
}

function refuseRam(path: string): QnxFsError {
  return new QnxFsError("INVALID_ARGUMENT", {
    argument: "overwrite",
    problem: `${JSON.stringify(path)} lies in RAM, where nothing can be replaced in one step and what runs from there would crash`,
    next: "Call file_delete on it first, when nothing uses it, or pass another remote_path.",
  });
}
