import { accessSync, constants, lstatSync, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { VaultPlace } from "../domain/vault-path.ts";
import { isMissing, reasonOf } from "./file-errors.ts";

/** The vault's folder cannot be used; the message says why. */
export class VaultFolderError extends Error {
  override readonly name = "VaultFolderError";
}

export interface OpenedVault {
  /** The real path. */
  readonly root: string;
  readonly place: VaultPlace;
}

/** Checks that a folder is there and can be read. Throws VaultFolderError otherwise. */
export function openVault(given: string, platform: NodeJS.Platform): OpenedVault {
  const named = resolve(given);
  try {
    const root = realpathSync(named);
    if (!statSync(root).isDirectory()) throw new VaultFolderError(`${named} is not a folder`);
    accessSync(root, constants.R_OK | constants.X_OK);
    const isThere = (path: string) => isAt(join(root, path));
    return { root, place: { roots: [named, root], windows: platform === "win32", isThere } };
  } catch (error) {
    if (error instanceof VaultFolderError) throw error;
    const why = isMissing(error) ? "does not exist" : `cannot be read: ${reasonOf(error)}`;
    throw new VaultFolderError(`${named} ${why}`, { cause: error });
  }
}

function isAt(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Such as a name that is too long: it is not there.
    return false;
  }
}
