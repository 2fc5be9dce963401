import { folderOf } from "../document.ts";
import { compareBinary } from "../fold.ts";
import type { FileKind } from "../visibility.ts";

/** What lies in a folder itself, and with everything below it. */
export interface FolderCounts {
  /** Vault-relative; empty for the root. */
  readonly path: string;
  readonly notes: number;
  readonly attachments: number;
  readonly totalNotes: number;
  readonly totalAttachments: number;
}

/** Counts the files of every folder, empty ones too, in binary order of their paths; the root is the first. */
export function countFolders(
  files: Iterable<{ readonly path: string; readonly kind: FileKind }>,
  folders: Iterable<string>,
): FolderCounts[] {
  const counts = new Map<string, { -readonly [Key in keyof FolderCounts]: FolderCounts[Key] }>();
  const at = (path: string) => {
    let count = counts.get(path);
    if (count === undefined) {
      count = { path, notes: 0, attachments: 0, totalNotes: 0, totalAttachments: 0 };
      counts.set(path, count);
    }
    return count;
  };
  at("");
  for (const folder of folders) for (const path of withAncestors(folder)) at(path);
  for (const { path, kind } of files) {
    const count = at(folderOf(path));
    if (kind === "note") count.notes += 1;
    else count.attachments += 1;
  }
  // Ancestors of folders that hold files only.
  for (const path of [...counts.keys()]) for (const above of withAncestors(path)) at(above);
  for (const { path, notes, attachments } of counts.values()) {
    for (const above of withAncestors(path)) {
      const total = at(above);
      total.totalNotes += notes;
      total.totalAttachments += attachments;
    }
  }
  return [...counts.values()].sort((a, b) => compareBinary(a.path, b.path));
}

/** The folder itself, those above it, and the root. */
function* withAncestors(folder: string): Generator<string> {
  for (let path = folder; path !== ""; path = folderOf(path)) yield path;
  yield "";
}

/** Levels of names in a path; the root has none. */
function depthOf(path: string): number {
  return path === "" ? 0 : path.split("/").length;
}

/** A folder of the list with those below it, `depth` levels at most; empty where there is no such folder. */
export function foldersBelow(
  folders: readonly FolderCounts[],
  folder: string,
  depth: number | undefined,
): FolderCounts[] {
  const name = folder.normalize("NFC");
  const deepest = depth === undefined ? Number.POSITIVE_INFINITY : depthOf(name) + depth;
  return folders.filter(({ path }) => {
    const own = path.normalize("NFC");
    const isWithin = name === "" || own === name || own.startsWith(`${name}/`);
    return isWithin && depthOf(own) <= deepest;
  });
}
