import { isQnxFsError } from "./errors.ts";
import type { Attributes, RemoteFiles } from "./remote-files.ts";

/** What LSTAT tells of a real path; undefined where nothing is there. */
export async function lstatIfThere(
  files: RemoteFiles,
  realPath: string,
  signal: AbortSignal,
): Promise<Attributes | undefined> {
  try {
    return await files.lstat(realPath, signal);
  } catch (error) {
    if (isQnxFsError(error, "NOT_FOUND")) return undefined;
    throw error;
  }
}
