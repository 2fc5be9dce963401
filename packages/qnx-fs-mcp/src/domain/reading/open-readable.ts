import { QnxFsError } from "../errors.ts";
import { displayPath } from "../raw-name.ts";
import type { Attributes, RemoteFile } from "../remote-files.ts";
import { lstatWithinRoots, type Place, resolveWithinRoots } from "../roots.ts";
import { assertReadable, isProcessFile } from "./readable-kind.ts";

/** A file that is open to be read, checked to be what its path said. Its owner releases it. */
export interface OpenedFile {
  readonly file: RemoteFile;
  readonly realPath: string;
  /** As they were when it was open. */
  readonly attributes: Attributes;
  /** Bytes; undefined where the target's word means nothing, as in /proc. */
  readonly size: number | undefined;
}

/** Opens what a path leads to, links resolved, after LSTAT and with a second look once it is open. */
export async function openReadable(place: Place, path: string, signal: AbortSignal): Promise<OpenedFile> {
  const { target, files, roots } = place;
  const realPath = await resolveWithinRoots(place, path, signal);
  const before = await lstatWithinRoots(place, path, realPath, signal);
  assertReadable(place, path, realPath, before);
  const file = await files.open(realPath, "read", signal);
  try {
    const [attributes, now] = await Promise.all([file.stat(signal), files.realPath(realPath, signal)]);
    if (displayPath(now).text !== realPath) {
      throw new QnxFsError("OUTSIDE_ROOTS", { target, path, roots: roots.configured, byLink: true });
    }
    assertReadable(place, path, realPath, attributes);
    return { file, realPath, attributes, size: isProcessFile(realPath) ? undefined : attributes.size };
  } catch (error) {
    file.release();
    throw error;
  }
}
