import type { Stats } from "node:fs";
import { open } from "node:fs/promises";

/**
 * Writes a whole content to a new file and makes it last.
 *
 * @param like whose mode and, where that is allowed, owner it takes; a new file has those that the system gives.
 */
export async function stageFile(path: string, bytes: Uint8Array, like: Stats | undefined): Promise<void> {
  const file = await open(path, "wx", like === undefined ? 0o666 : 0o600);
  try {
    await file.writeFile(bytes);
    if (like !== undefined) {
      const { uid, gid, mode } = await file.stat();
      if (uid !== like.uid || gid !== like.gid) await file.chown(like.uid, like.gid).catch(() => {});
      // After the owner: changing that drops some bits.
      if ((mode & 0o7777) !== (like.mode & 0o7777)) await file.chmod(like.mode & 0o7777);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}
