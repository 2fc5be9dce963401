import { mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
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
  async write(journal: Journal): Promise<void> {
    const draft = `${this.#path}.draft`;
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const file = await open(draft, "w", 0o600);
    try {
      await file.writeFile(JSON.stringify({ ...journal, format: 1 }));
      await file.sync();
    } finally {
      await file.close();
    }
    renameSync(draft, this.#path);
    await syncFolder(dirname(this.#path));
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
  async remove(): Promise<void> {
    rmSync(this.#path, { force: true });
    await syncFolder(dirname(this.#path));
  }
}

/** The path of a journal's folder within a vault's state folder. */
export function journalPath(stateFolder: string): string {
  return join(stateFolder, "rename.json");
}
