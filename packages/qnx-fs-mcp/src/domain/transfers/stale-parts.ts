import { isPartName } from "../changing/temporary-name.ts";
import { displayName, rawNameOf } from "../raw-name.ts";
import { joinPath } from "../remote-path.ts";
import type { OpenTarget } from "../targets.ts";

const staleSeconds = 24 * 60 * 60;
/** Entries of a directory that are looked at. */
const mostEntries = 5_000;

/**
 * Removes what puts that were cut off have left in a directory, once it is older than a day by the target's own clock,
 * which the file `fresh` tells. What cannot be removed stays.
 */
export async function removeStaleParts(
  { files }: OpenTarget,
  directory: string,
  fresh: string,
  signal: AbortSignal,
): Promise<void> {
  const parts: { readonly name: string; readonly mtime: number }[] = [];
  let seen = 0;
  let now: number | undefined;
  try {
    for await (const batch of files.readDirectory(directory, signal)) {
      for (const { name, attributes } of batch) {
        const { text } = displayName(name);
        if (name === rawNameOf(fresh)) now = attributes.mtime;
        else if (isPartName(text) && attributes.mtime !== undefined)
          parts.push({ name: text, mtime: attributes.mtime });
      }
      seen += batch.length;
      if (seen > mostEntries) break;
    }
    if (now === undefined) return;
    for (const { name, mtime } of parts) {
      if (now - mtime > staleSeconds) await files.removeFile(joinPath(directory, name), signal);
    }
  } catch (error) {
    if (signal.aborted) throw error;
  }
}
