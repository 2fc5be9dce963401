import { type Dirent, lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { FileKind, Visibility } from "../domain/visibility.ts";
import { isMissing } from "./file-errors.ts";
import type { TimeSlice } from "./time-slice.ts";

/** What tells whether a file changed, as the disk says it. */
export interface FileStamp {
  readonly path: string;
  readonly kind: FileKind;
  readonly sizeBytes: number;
  readonly modifiedAt: number;
  readonly changedAt: number;
  readonly bornAt: number;
  readonly inode: number;
  readonly device: number;
}

export interface FoundFiles {
  readonly files: FileStamp[];
  /** Vault-relative, without the root. */
  readonly folders: string[];
}

/** Where files are looked for, and who hears of folders that cannot be read. */
export interface ScanPlace {
  /** The real path of the vault's folder. */
  readonly root: string;
  readonly visibility: Visibility;
  warn(path: string, error: unknown): void;
}

/**
 * The visible files of a folder and everything below it. Links are not followed and add no entries. Reads the disk
 * synchronously, which is six times as fast as otherwise, in slices. A folder that cannot be read is left out.
 *
 * @throws the error of node:fs when the vault's own folder cannot be read.
 */
export async function scanFolder(
  place: ScanPlace,
  folder: string,
  slice: TimeSlice,
  signal: AbortSignal,
): Promise<FoundFiles> {
  const found: FoundFiles = { files: [], folders: folder === "" ? [] : [folder] };
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const entry of readFolder(place, next)) {
      await slice.turn(signal);
      const path = next === "" ? entry.name : `${next}/${entry.name}`;
      if (entry.isSymbolicLink() || place.visibility.isHidden(path)) continue;
      if (entry.isDirectory()) {
        found.folders.push(path);
        open.push(path);
      } else if (entry.isFile()) {
        const stamp = stampOf(place, path);
        if (stamp !== undefined) found.files.push(stamp);
      }
    }
  }
  return found;
}

function readFolder({ root, warn }: ScanPlace, folder: string): Dirent[] {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (folder === "") throw error;
    if (!isMissing(error)) warn(folder, error);
    return [];
  }
}

function stampOf(place: ScanPlace, path: string): FileStamp | undefined {
  const kind = place.visibility.kindOf(path);
  if (kind === undefined) return undefined;
  try {
    const stat = lstatSync(join(place.root, path));
    return stat.isFile() ? toStamp(path, kind, stat) : undefined;
  } catch (error) {
    if (!isMissing(error)) place.warn(path, error);
    return undefined;
  }
}

function toStamp(path: string, kind: FileKind, stat: Stats): FileStamp {
  return {
    path,
    kind,
    sizeBytes: stat.size,
    modifiedAt: stat.mtimeMs,
    changedAt: stat.ctimeMs,
    bornAt: stat.birthtimeMs,
    inode: stat.ino,
    device: stat.dev,
  };
}
