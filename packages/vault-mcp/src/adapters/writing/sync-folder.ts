import { closeSync, fsyncSync, openSync } from "node:fs";

/** Makes what was renamed, made or removed in a folder last through a power cut, where the system can. */
export function syncFolder(absolute: string): void {
  let folder: number | undefined;
  try {
    folder = openSync(absolute, "r");
    fsyncSync(folder);
  } catch {
    // Windows and some network folders cannot; the content itself is on the disk.
  } finally {
    if (folder !== undefined) closeSync(folder);
  }
}
