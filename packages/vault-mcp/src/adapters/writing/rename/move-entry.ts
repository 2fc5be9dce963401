import { linkSync, readdirSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Move } from "../../../domain/writing/rename/moves.ts";
import { statOf } from "../find-place.ts";
import { giveBack, giveName, isLinkless, isOneFile } from "../names-of-files.ts";
import type { TemporaryFiles } from "../temporary-files.ts";

/** What came of a move: `taken` where something else is at the new path, `gone` where there is nothing to move. */
export type MoveResult = "moved" | "taken" | "gone";

export interface MoveSetting {
  /** The real path of the vault's folder. */
  readonly root: string;
  readonly temporary: TemporaryFiles;
  readonly link?: typeof linkSync;
}

/**
 * Moves a file or folder, or completes a move that was cut short. Never onto something that exists. The folders of both
 * paths are left to be synchronised.
 */
export function moveEntry(setting: MoveSetting, move: Move, isFolder: boolean): MoveResult {
  const [old, next] = [join(setting.root, move.from), join(setting.root, move.to)];
  const [source, target] = [statOf(old), statOf(next)];
  if (source === undefined) return target === undefined ? "gone" : "moved";
  if (target !== undefined) {
    if (target.ino !== source.ino || target.dev !== source.dev) return "taken";
    // One file by two names: the move was cut short, but where case makes no difference they may be one name.
    if (isFolder || !isListed(next) || !isListed(old)) renameSync(old, next);
    else removeOldName(setting, move);
  } else if (isFolder) {
    // Could replace nothing but an empty folder.
    renameSync(old, next);
  } else if (!linkTo(setting, move)) {
    return "taken";
  }
  return "moved";
}

/** Moves a file by a second name, which never replaces one; false where the name is taken. */
function linkTo(setting: MoveSetting, move: Move): boolean {
  const { root, link = linkSync } = setting;
  const [old, next] = [join(root, move.from), join(root, move.to)];
  try {
    if (!giveName(old, next, link)) return false;
  } catch (error) {
    if (!isLinkless(error)) throw error;
    renameSync(old, next);
    return true;
  }
  removeOldName(setting, move);
  return true;
}

/** Removes the old name of a file that has its new one. What an editor saved there since is another file, and stays. */
function removeOldName({ root, temporary }: MoveSetting, { from, to }: Move): void {
  const old = join(root, from);
  const aside = temporary.takeAside(dirname(old), from);
  renameSync(old, aside.path);
  if (!isOneFile(aside.path, join(root, to))) giveBack(aside.path, old);
  aside.end();
}

/** Whether a path is spelled as the disk has it. */
function isListed(absolute: string): boolean {
  return readdirSync(dirname(absolute)).includes(basename(absolute));
}
