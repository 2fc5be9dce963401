import { closeSync, openSync, realpathSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { VaultError } from "../../domain/errors.ts";
import { statOf } from "./find-place.ts";
import { makeFolder } from "./make-file.ts";
import { syncFolder } from "./sync-folder.ts";

/** Obsidian's own trash inside a vault. Source: Obsidian help, Settings, "Deleted files". */
const trashName = ".trash";
const mostNames = 1_000;

/** The paths in the trash that a file may get, the first that is free: its own, then with a number. */
export function* trashPaths(path: string): Generator<string> {
  const [, stem = path, extension = ""] = /^(.*?[^/])(\.[^./]*)?$/s.exec(path) ?? [];
  for (let number = 1; number <= mostNames; number += 1) {
    yield `${trashName}/${number === 1 ? path : `${stem} ${number}${extension}`}`;
  }
}

/**
 * Moves a file to the trash, keeping its path there. Nothing in the trash is ever replaced.
 *
 * @param root the real path of the vault's folder.
 * @param path vault-relative real path of the file.
 * @returns the vault-relative path in the trash.
 * @throws VaultError NOT_WRITTEN where the trash is no plain folder of the vault; errors of node:fs.
 */
export async function moveToTrash(root: string, path: string, given: string): Promise<string> {
  makeFolders(root, path, given);
  for (const trashPath of trashPaths(path)) {
    const target = join(root, trashPath);
    if (statOf(target) !== undefined) continue;
    // The name is claimed first, so that a rename can replace nothing but this.
    closeSync(openSync(target, "wx"));
    try {
      renameSync(join(root, path), target);
    } catch (error) {
      rmSync(target, { force: true });
      throw error;
    }
    await Promise.all([syncFolder(dirname(target)), syncFolder(dirname(join(root, path)))]);
    return trashPath;
  }
  throw new VaultError("NOT_WRITTEN", {
    path: given,
    reason: "the trash has too many of that name",
    retry: false,
  });
}

function makeFolders(root: string, path: string, given: string): void {
  let folder = root;
  for (const name of [trashName, ...path.split("/").slice(0, -1)]) {
    folder = join(folder, name);
    const stat = statOf(folder);
    if (stat === undefined) makeFolder(folder);
    else if (!stat.isDirectory()) {
      const reason = `${JSON.stringify(folder.slice(root.length + 1))} in the trash is no folder, or a link`;
      throw new VaultError("NOT_WRITTEN", { path: given, reason, retry: false });
    }
  }
  if (realpathSync(folder) !== folder) {
    throw new VaultError("NOT_WRITTEN", { path: given, reason: "the trash crosses a link", retry: true });
  }
}
