import { QnxFsError } from "./errors.ts";

/**
 * Paths on a target are absolute and in normal form: no `.`, `..`, `//`, trailing `/`, `~` or NUL; `/` is the root.
 * Only such paths are ever sent, so that what was checked is what the target sees.
 */

/** The normal form of what was meant; null where that cannot be told (relative, empty, `~`, NUL, above the root). */
export function normaliseRemotePath(path: string): string | null {
  if (!path.startsWith("/") || path.includes("\0") || !path.isWellFormed()) return null;
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "~" && parts.length === 0) return null;
    if (part === "..") {
      if (parts.length === 0) return null;
      parts.pop();
    } else {
      parts.push(part);
    }
  }
  return `/${parts.join("/")}`;
}

/** Refuses a path that is not in normal form, telling the form that is. */
export function assertNormalised(path: string): void {
  const normalised = normaliseRemotePath(path);
  if (normalised !== path) throw new QnxFsError("PATH_NOT_NORMALISED", { path, normalised });
}

/** Whether `path` is `root` or below it; both in normal form. */
export function isWithin(path: string, root: string): boolean {
  return root === "/" || path === root || path.startsWith(`${root}/`);
}

/** The directory that holds `path`; the root holds itself. */
export function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash <= 0 ? "/" : path.slice(0, slash);
}

/** The last component; "" for the root. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function joinPath(directory: string, name: string): string {
  return directory === "/" ? `/${name}` : `${directory}/${name}`;
}
