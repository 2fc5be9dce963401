import { type FileHandle, open } from "node:fs/promises";

/** Makes what was renamed, made or removed in a folder last through a power cut, where the system can. */
export async function syncFolder(absolute: string): Promise<void> {
  let folder: FileHandle | undefined;
  try {
    folder = await open(absolute, "r");
    await folder.sync();
  } catch {
    // Windows and some network folders cannot; the content itself is on the disk.
  } finally {
    await folder?.close();
  }
}
