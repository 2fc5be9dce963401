import {
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmdirSync,
} from "node:fs";
import { join } from "node:path";
import { isLinkless } from "./names-of-files.ts";
import type { Replacing } from "./replace-file.ts";
import { stageFile } from "./stage-file.ts";
import { syncFolder } from "./sync-folder.ts";

/** A place where nothing is yet. */
export interface NewPlace {
  /** Absolute real path of the deepest folder that exists. */
  readonly base: string;
  /** The folders to be made in it, and the file's name. */
  readonly folders: readonly string[];
  readonly name: string;
  /** Vault-relative path of the file. */
  readonly path: string;
  /** Vault-relative path of the first of `folders`, else of the file. */
  readonly scope: string;
}

/**
 * Makes a file with its content, and the folders above it; the folders go again where the file cannot be made.
 *
 * @throws errors of node:fs, EEXIST where something is at the place by now.
 */
export async function makeFile(
  { base, folders, name, path }: Omit<NewPlace, "scope">,
  bytes: Uint8Array,
  { temporary, saves, link = linkSync }: Omit<Replacing, "rename">,
): Promise<void> {
  const made: string[] = [];
  let folder = base;
  try {
    for (const next of folders) {
      const parent = folder;
      folder = join(parent, next);
      makeFolder(folder, made);
      await syncFolder(parent);
    }
    const draft = temporary.begin(folder, path);
    try {
      await stageFile(draft.path, bytes, undefined);
      if (realpathSync(folder) !== folder) throw Object.assign(new Error("moved"), { code: "ENOTDIR" });
      saves.mark(path, lstatSync(draft.path));
      putInPlace(draft.path, join(folder, name), link);
    } finally {
      draft.end();
    }
    await syncFolder(folder);
  } catch (error) {
    for (const own of made.reverse()) removeEmpty(own);
    throw error;
  }
}

/** Makes a folder, or takes the one that somebody else has just made; never a link. */
export function makeFolder(folder: string, made: string[] = []): void {
  try {
    mkdirSync(folder);
    made.push(folder);
  } catch (error) {
    if ((error as { code?: unknown }).code !== "EEXIST") throw error;
    if (!lstatSync(folder).isDirectory()) throw Object.assign(new Error("no folder"), { code: "ENOTDIR" });
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody else has put something into it.
  }
}

/** Gives a finished file its name; what has the name already stays, and so does the error. */
function putInPlace(draft: string, target: string, link: typeof linkSync): void {
  try {
    link(draft, target);
  } catch (error) {
    if (!isLinkless(error)) throw error;
    // Without hard links an empty file claims the name first.
    closeSync(openSync(target, "wx"));
    renameSync(draft, target);
  }
}
