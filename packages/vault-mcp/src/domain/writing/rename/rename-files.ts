import type { FileKind } from "../../visibility.ts";
import type { NewEntry } from "../note-files.ts";

/** What is at a path that is to be moved. */
export interface MovableItem {
  /** As the disk spells it; a link on the way is followed, one at the end is not. */
  readonly path: string;
  readonly isFolder: boolean;
}

export interface ScannedFile {
  readonly path: string;
  readonly kind: FileKind;
}

/** A file whose text changes with a move. */
export interface ChangedFile {
  /** Before the move. */
  readonly path: string;
  readonly before: Buffer;
  readonly after: Buffer;
}

/** What a move did on the disk. */
export interface MoveOutcome {
  /** Paths after the move of files whose text was not the planned one by then, worked out anew. */
  readonly reworked: readonly string[];
  /** Paths after the move of changed files that had other names (hard links), which keep the old text. */
  readonly parted: readonly string[];
  /** Paths after the move of files that could not be changed, with the reason. */
  readonly left: readonly { readonly path: string; readonly reason: string }[];
}

/** Who hears how far a move is. */
export interface MoveWatcher {
  /** The item is at its new path; from here on the move is carried through, whatever happens. */
  moved(): void;
  /** So many of the texts are done, in their order. */
  changed(count: number): void;
}

/** How files and folders of the vault are moved, within one turn of `exclusively`. */
export interface RenameFiles {
  /** @throws VaultError NOT_A_FILE for a link or device, KIND_NOT_SERVED, PATH_HIDDEN, PATH_OUTSIDE_VAULT. */
  findItem(path: string, given: string): Promise<MovableItem | undefined>;
  /**
   * The place of the new path, as it will be on the disk.
   *
   * @throws VaultError of a new name and place, as for `NoteFiles.create`.
   */
  findTarget(item: MovableItem, newPath: string, given: string): Promise<NewEntry>;
  /** All visible files. */
  scan(signal: AbortSignal): Promise<readonly ScannedFile[]>;
  /** A file's content; undefined for one that is gone, too large or cannot be read. */
  readContent(path: string): Promise<Buffer | undefined>;
  /**
   * Moves the item and changes the texts, as one: staged texts, then a journal as the point from which on it is done,
   * also when the process dies.
   *
   * @param signal stops it as long as nothing has happened; afterwards it is carried through.
   * @param watcher hears how far it is.
   * @throws VaultError NOT_WRITTEN, ALREADY_EXISTS, VAULT_UNREADABLE; nothing has happened then.
   */
  move(
    item: MovableItem,
    to: string,
    given: string,
    changed: readonly ChangedFile[],
    signal: AbortSignal,
    watcher: MoveWatcher,
  ): Promise<MoveOutcome>;
}
