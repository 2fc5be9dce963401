import { createHash } from "node:crypto";
import { join } from "node:path";

/**
 * The folder of one vault's state.
 *
 * @param base the server's state folder.
 * @param root the real path of the vault's folder.
 */
export function stateFolderOf(base: string, root: string): string {
  return join(base, createHash("sha256").update(root).digest("hex").slice(0, 16));
}
