import type { Visibility } from "../visibility.ts";

/** Folders, vault-relative in NFC; everything outside of them is kept from a caller. */
export type FolderScope = readonly string[];

/** The folders that a caller is limited to, in one form. `""` is no folder: it would be the whole vault. */
export function parseFolderScope(folders: readonly string[]): FolderScope {
  return folders
    .map((folder) => folder.normalize("NFC").replaceAll("\\", "/"))
    .map((folder) => folder.split("/").filter((name) => name !== "" && name !== "."))
    .filter((names) => names.length > 0 && !names.includes(".."))
    .map((names) => names.join("/"));
}

/** Whether a path is one of the folders or lies in one. */
export function isInScope(path: string, scope: FolderScope): boolean {
  const name = path.normalize("NFC");
  return scope.some((folder) => name === folder || name.startsWith(`${folder}/`));
}

/** The same rules, with everything outside of the folders hidden. */
export function restrictVisibility(visibility: Visibility, scope: FolderScope): Visibility {
  return {
    attachments: visibility.attachments,
    isHidden: (path) => visibility.isHidden(path) || !isInScope(path, scope),
    kindOf: (path) => visibility.kindOf(path),
  };
}
