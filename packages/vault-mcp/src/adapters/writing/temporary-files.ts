import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/** What is known of a file that a writer has in a folder of the vault for a moment. */
export interface TemporaryFile {
  /** Absolute; the name begins with a dot, so that nothing lists it. */
  readonly path: string;
  /** The vault-relative path of the file that it is made for. */
  readonly target: string;
  /** The tag of the content that it may hold, where another content would be somebody's work. */
  readonly expected?: string;
}

/**
 * Remembers the temporary files of writers outside the vault, so that those of a writer that was killed can be found
 * without looking through the vault.
 */
export class TemporaryFiles {
  readonly #folder: string;

  /** @param folder where to remember them; made when it is missing. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes the folder in which they are remembered. */
  open(): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
  }

  /** Names a temporary file in a folder. */
  begin(folder: string, target: string, expected?: string): TemporaryFile & { end(): void } {
    const name = temporaryName();
    const record = join(this.#folder, name.slice(1));
    const file = { path: join(folder, name), target, ...(expected !== undefined && { expected }) };
    writeFileSync(record, JSON.stringify(file), { mode: 0o600 });
    return {
      ...file,
      end: () => {
        rmSync(file.path, { force: true });
        rmSync(record, { force: true });
      },
    };
  }

  /** Remembers many files at once; `paths` are all the places where each may be. */
  beginAll(paths: readonly string[]): { end(): void } {
    const record = join(this.#folder, `many-${randomBytes(8).toString("hex")}`);
    writeFileSync(record, JSON.stringify(paths), { mode: 0o600 });
    return {
      end: () => {
        for (const path of paths) rmSync(path, { force: true });
        rmSync(record, { force: true });
      },
    };
  }

  /** A path for a temporary file in a folder; to be remembered by `beginAll`. */
  pathIn(folder: string): string {
    return join(folder, temporaryName());
  }

  /**
   * Clears away what killed writers left. Only for who holds the lock of all writers.
   *
   * @param rescue is called for a file that is still there and might hold somebody's work, before it goes.
   */
  async sweep(rescue: (file: TemporaryFile) => Promise<void>): Promise<void> {
    this.open();
    for (const name of readdirSync(this.#folder)) {
      const record = join(this.#folder, name);
      for (const file of parseRecord(readFileSync(record, "utf8"))) {
        if (file.expected !== undefined) await rescue(file);
        rmSync(file.path, { force: true });
      }
      rmSync(record);
    }
  }
}

const prefix = ".vault-mcp-";

function temporaryName(): string {
  return `${prefix}${randomBytes(8).toString("hex")}`;
}

/** A record that was cut off by a kill names no file: files are made after their record. */
function parseRecord(text: string): TemporaryFile[] {
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    return [];
  }
  const files = Array.isArray(record) ? record.map((path) => ({ path })) : [record];
  return (files as TemporaryFile[]).filter(
    ({ path }) => typeof path === "string" && basename(path).startsWith(prefix),
  );
}
