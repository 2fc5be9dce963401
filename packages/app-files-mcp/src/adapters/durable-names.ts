import { closeSync, copyFileSync, fsyncSync, linkSync, openSync } from "node:fs";
import { open } from "node:fs/promises";

/** Makes the names in a folder durable. Windows opens no folders, and does this by itself. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(ignoreWindows);
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
}

/** The same without waiting, for use inside a transaction. */
export function syncFolderNow(folder: string): void {
  let handle: number | undefined;
  try {
    handle = openSync(folder, "r");
  } catch (error) {
    ignoreWindows(error);
    return;
  }
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Gives a file a second name; where the file system has no such thing, a copy. */
export function nameAgain(path: string, second: string): void {
  try {
    linkSync(path, second);
  } catch {
    copyFileSync(path, second);
    const copy = openSync(second, "r+");
    try {
      fsyncSync(copy);
    } finally {
      closeSync(copy);
    }
  }
}

function ignoreWindows(error: unknown): undefined {
  const ignored =
    error instanceof Error && "code" in error && (error.code === "EPERM" || error.code === "EISDIR");
  if (!ignored) throw error;
}
