import { linkSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Move } from "../../../domain/writing/rename/moves.ts";
import { statOf } from "../find-place.ts";
import { isLinkless } from "../replace-file.ts";
import { syncFolder } from "../sync-folder.ts";

/** What came of a move: `taken` where something else is at the new path, `gone` where there is nothing to move. */
export type MoveResult = "moved" | "taken" | "gone";

/**
 * Moves a file or folder, or completes a move that was cut short. Never onto something that exists.
 *
 * @param root the real path of the vault's folder.
 */
export function moveEntry(root: string, { from, to }: Move, isFolder: boolean): MoveResult {
  const [old, next] = [join(root, from), join(root, to)];
  const [source, target] = [statOf(old), statOf(next)];
  if (source === undefined) return target === undefined ? "gone" : "moved";
  if (target !== undefined) {
    if (target.ino !== source.ino || target.dev !== source.dev) return "taken";
    // One file by two names: where case makes no difference it is one name, else the move was cut short.
    if (isFolder || source.nlink < 2) renameSync(old, next);
    else rmSync(old);
  } else if (isFolder) {
    // Could replace nothing but an empty folder.
    renameSync(old, next);
  } else if (!linkTo(old, next)) {
    return "taken";
  }
  syncFolder(dirname(next));
  syncFolder(dirname(old));
  return "moved";
}

/** Moves a file by a second name, which never replaces one; false where the name is taken. */
function linkTo(old: string, next: string): boolean {
  try {
    linkSync(old, next);
  } catch (error) {
    if ((error as { code?: unknown }).code === "EEXIST") return false;
    if (!isLinkless(error)) throw error;
    renameSync(old, next);
    return true;
  }
  rmSync(old);
  return true;
}
