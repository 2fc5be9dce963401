import { type Dirent, lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { Database } from "@mcp-file-servers/sqlite";
import { folderOf } from "../../../domain/document.ts";
import type { Visibility } from "../../../domain/visibility.ts";
import { isMissing } from "../../file-errors.ts";
import type { TimeSlice } from "../../time-slice.ts";
import { isUnchanged, seemsUnchanged } from "./file-stamp.ts";
import type { FoundFile } from "./read-record.ts";

/** Where files are looked for, and who hears of what cannot be read. */
export interface LookPlace {
  /** The real path of the vault's folder. */
  readonly root: string;
  readonly visibility: Visibility;
  warn(path: string, error: unknown): void;
}

/** How the disk differs from the index. */
export interface Differences {
  /** Files that came or changed, as far as their stamps tell. */
  readonly toRead: FoundFile[];
  /** Documents whose files went. */
  readonly gone: number[];
  readonly newFolders: string[];
  readonly goneFolders: string[];
  /** Visible files that there are below the paths that were looked at. */
  readonly found: number;
}

interface KnownRow {
  readonly id: number;
  readonly path: string;
  readonly stamp: string;
}

const rowsOfStatement = 5_000;

/**
 * Compares what lies on the disk with the index, folder by folder, so that a vault of any size takes little memory. Links
 * are not followed and add no entries. Reads the disk synchronously, which is six times as fast as otherwise.
 */
export class DiskLook {
  readonly #place: LookPlace;
  readonly #database: Database;
  readonly #slice: TimeSlice;
  readonly #signal: AbortSignal;
  #isUnchanged = isUnchanged;
  readonly #toRead: FoundFile[] = [];
  readonly #gone: number[] = [];
  readonly #newFolders: string[] = [];
  readonly #goneFolders: string[] = [];
  #found = 0;

  constructor(place: LookPlace, database: Database, slice: TimeSlice, signal: AbortSignal) {
    this.#place = place;
    this.#database = database;
    this.#slice = slice;
    this.#signal = signal;
  }

  /**
   * Looks at the given paths and everything below them, `""` for the whole vault.
   *
   * @throws the error of node:fs when the vault's own folder cannot be read; the signal's reason when it is aborted.
   */
  async compare(paths: readonly string[]): Promise<Differences> {
    for (const path of withoutNested(paths)) await this.#lookAt(path);
    return {
      toRead: this.#toRead,
      gone: this.#gone,
      newFolders: this.#newFolders,
      goneFolders: this.#goneFolders,
      found: this.#found,
    };
  }

  /** Whether there seems to be any difference at or below some paths; looks no further than to the first. */
  async seesAny(paths: readonly string[]): Promise<boolean> {
    this.#isUnchanged = seemsUnchanged;
    for (const path of withoutNested(paths)) {
      await this.#lookAt(path);
      if ([this.#toRead, this.#gone, this.#newFolders, this.#goneFolders].some((found) => found.length > 0))
        return true;
    }
    return false;
  }

  async #lookAt(path: string): Promise<void> {
    const stat = this.#statVisible(path);
    if (stat?.isDirectory()) return this.#lookInto(path);
    const file = stat?.isFile() ? stat : undefined;
    const known = await this.#database.read(({ get }) =>
      get<KnownRow>("SELECT id, path, stamp FROM document WHERE path = ?", [path]),
    );
    this.#compareFile(path, file, known);
    // Folders that were there.
    await this.#goneBelow(path, new Set());
  }

  #statVisible(path: string): Stats | undefined {
    const { root, visibility, warn } = this.#place;
    if (path !== "" && visibility.isHidden(path)) return undefined;
    try {
      return lstatSync(join(root, path));
    } catch (error) {
      if (path === "") throw error;
      if (!isMissing(error)) warn(path, error);
      return undefined;
    }
  }

  /** Looks at a folder and all below it. */
  async #lookInto(folder: string): Promise<void> {
    const seen = new Set<string>(folder === "" ? [] : [folder]);
    const open = [folder];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      await this.#slice.turn(this.#signal);
      const { files, folders } = this.#listFolder(next);
      for (const inner of folders) {
        seen.add(inner);
        open.push(inner);
      }
      await this.#compareFolder(next, files);
    }
    await this.#goneBelow(folder, seen);
  }

  #listFolder(folder: string): { files: Set<string>; folders: string[] } {
    const files = new Set<string>();
    const folders: string[] = [];
    for (const entry of this.#readFolder(folder)) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isSymbolicLink() || this.#place.visibility.isHidden(path)) continue;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && this.#place.visibility.kindOf(path) !== undefined) files.add(path);
    }
    return { files, folders };
  }

  #readFolder(folder: string): Dirent[] {
    try {
      return readdirSync(join(this.#place.root, folder), { withFileTypes: true });
    } catch (error) {
      if (folder === "") throw error;
      if (!isMissing(error)) this.#place.warn(folder, error);
      return [];
    }
  }

  /** @param files is emptied. */
  async #compareFolder(folder: string, files: Set<string>): Promise<void> {
    for (let last = ""; ; ) {
      const rows = await this.#database.read(({ all }) =>
        all<KnownRow>(
          "SELECT id, path, stamp FROM document WHERE folder = ? AND path > ? ORDER BY path LIMIT ?",
          [folder, last, rowsOfStatement],
        ),
      );
      for (const row of rows) {
        await this.#slice.turn(this.#signal);
        this.#compareFile(row.path, files.delete(row.path) ? this.#statFile(row.path) : undefined, row);
      }
      last = rows.at(-1)?.path ?? "";
      if (rows.length < rowsOfStatement) break;
    }
    for (const path of files) {
      await this.#slice.turn(this.#signal);
      this.#compareFile(path, this.#statFile(path), undefined);
    }
  }

  #statFile(path: string): Stats | undefined {
    const stat = this.#statVisible(path);
    return stat?.isFile() ? stat : undefined;
  }

  #compareFile(path: string, stat: Stats | undefined, known: KnownRow | undefined): void {
    const kind = stat === undefined ? undefined : this.#place.visibility.kindOf(path);
    if (stat === undefined || kind === undefined) {
      if (known !== undefined) this.#gone.push(known.id);
      return;
    }
    this.#found += 1;
    if (known !== undefined && this.#isUnchanged(stat, known.stamp)) return;
    this.#toRead.push({ path, kind, inode: stat.ino, device: stat.dev });
  }

  /** What the index has of folders at or below one that are there no more, and which of those seen it does not have. */
  async #goneBelow(folder: string, seen: ReadonlySet<string>): Promise<void> {
    const known = await this.#knownFolders(folder);
    for (const path of seen) if (!known.has(path)) this.#newFolders.push(path);
    for (const path of known) {
      if (seen.has(path)) continue;
      await this.#slice.turn(this.#signal);
      this.#goneFolders.push(path);
      await this.#compareFolder(path, new Set());
    }
  }

  async #knownFolders(folder: string): Promise<Set<string>> {
    const known = new Set<string>();
    for (let last = ""; ; ) {
      const rows = await this.#database.read(({ all }) =>
        folder === ""
          ? all<{ path: string }>("SELECT path FROM folder WHERE path > ? ORDER BY path LIMIT ?", [
              last,
              rowsOfStatement,
            ])
          : all<{ path: string }>(
              "SELECT path FROM folder WHERE (path = ? OR (path > ? AND path < ?)) AND path > ? ORDER BY path LIMIT ?",
              [folder, `${folder}/`, `${folder}0`, last, rowsOfStatement],
            ),
      );
      for (const { path } of rows) known.add(path);
      last = rows.at(-1)?.path ?? "";
      if (rows.length < rowsOfStatement) return known;
    }
  }
}

/** Paths that no other of them holds. */
function withoutNested(paths: readonly string[]): string[] {
  const all = new Set(paths);
  if (all.has("")) return [""];
  return [...all].filter((path) => {
    for (let above = folderOf(path); above !== ""; above = folderOf(above)) if (all.has(above)) return false;
    return true;
  });
}
