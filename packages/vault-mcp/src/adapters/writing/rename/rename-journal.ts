import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Move } from "../../../domain/writing/rename/moves.ts";
import { syncFolder } from "../sync-folder.ts";

/** A file whose text changes with the move. */
export interface JournalFile {
  /** Vault-relative, before the move. */
  readonly path: string;
  /** Tags of the content before and after. */
  readonly before: string;
  readonly after: string;
  /** Vault-relative path of the staged text, before the move. */
  readonly draft: string;
}

/** A rename that is to be done, from the moment at which this is on the disk. */
export interface Journal extends Move {
  readonly isFolder: boolean;
  readonly files: readonly JournalFile[];
}

/** The one rename that may be under way in a vault. */
export class RenameJournal {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Commits to a rename. */
  write(journal: Journal): void {
    const draft = `${this.#path}.draft`;
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const file = openSync(draft, "w", 0o600);
    try {
      writeFileSync(file, JSON.stringify({ ...journal, format: 1 }));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, this.#path);
    syncFolder(dirname(this.#path));
  }

  /** The rename that was committed to and is not done; undefined as a rule. */
  read(): Journal | undefined {
    try {
      return JSON.parse(readFileSync(this.#path, "utf8")) as Journal;
    } catch (error) {
      if ((error as { code?: unknown }).code === "ENOENT") return undefined;
      throw error;
    }
  }

  /** The rename is done, or cannot be. */
  remove(): void {
    rmSync(this.#path, { force: true });
    syncFolder(dirname(this.#path));
  }
}

/** The path of a journal's folder within a vault's state folder. */
export function journalPath(stateFolder: string): string {
  return join(stateFolder, "rename.json");
}
