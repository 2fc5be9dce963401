import { foldName } from "../fold.ts";

/** How a link's path is to be read: from the root, from the note's folder, or wherever it fits. */
export interface LinkPath {
  readonly from: "root" | "folder" | "anywhere";
  /** Vault-relative for `root` and `folder`; never with `.`, `..` or slashes at its ends. */
  readonly path: string;
}

/** Reads a link's path in a note of `folder`; undefined where it leads out of the vault or names nothing. */
export function readLinkPath(path: string, folder: string): LinkPath | undefined {
  if (path.includes("\0")) return undefined;
  const from = path.startsWith("/") ? "root" : /^\.\.?(?:\/|$)/.test(path) ? "folder" : "anywhere";
  const names: string[] = from === "folder" && folder !== "" ? folder.split("/") : [];
  for (const name of path.split("/")) {
    if (name === "..") {
      if (names.pop() === undefined) return undefined;
    } else if (name !== "" && name !== ".") names.push(name);
  }
  return names.length === 0 ? undefined : { from, path: names.join("/") };
}

/** The last name of a path. */
export function lastName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Extensions that a link to a note leaves out. */
export const noteExtensions: readonly string[] = [".md", ".markdown"];

/** The note extension of a path as it is spelled; empty where there is none. */
export function noteExtensionOf(path: string): string {
  return /\.(?:md|markdown)$/i.exec(path)?.[0] ?? "";
}

/** Under which keys a link is to be looked up again when a file with one of them comes or goes. */
export function linkKeys(path: string): string[] {
  const name = foldName(lastName(path.replace(/\/+$/, "")));
  if (name === "" || name === "." || name === "..") return [];
  const extension = noteExtensionOf(name);
  return extension === "" || extension === name ? [name] : [name, name.slice(0, -extension.length)];
}

/** The keys of a file: links that have one of them may change their target when it comes or goes. */
export function fileKeys(path: string, aliases: readonly string[] = []): string[] {
  const name = foldName(lastName(path));
  const extension = noteExtensionOf(name);
  const keys = [name.slice(0, name.length - extension.length), ...aliases.flatMap(aliasKeys)];
  return [...new Set(keys)];
}

function aliasKeys(alias: string): string[] {
  const key = foldName(lastName(alias.trim()));
  return key === "" ? [] : [key];
}
