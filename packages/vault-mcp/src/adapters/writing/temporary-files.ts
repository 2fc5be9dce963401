import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

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

  /** Names a temporary file in a folder. */
  begin(folder: string, target: string, expected?: string): TemporaryFile & { end(): void } {
    const name = `.vault-mcp-${randomBytes(8).toString("hex")}`;
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

  /**
   * Clears away what killed writers left. Only for who holds the lock of all writers.
   *
   * @param rescue is called for a file that is still there and might hold somebody's work, before it goes.
   */
  async sweep(rescue: (file: TemporaryFile) => Promise<void>): Promise<void> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(this.#folder)) {
      const record = join(this.#folder, name);
      const file = parseRecord(readFileSync(record, "utf8"), name);
      if (file !== undefined) {
        if (file.expected !== undefined) await rescue(file);
        rmSync(file.path, { force: true });
      }
      rmSync(record);
    }
  }
}

/** A record that was cut off by a kill names no file: the file is made after it. */
function parseRecord(text: string, name: string): TemporaryFile | undefined {
  try {
    const file = JSON.parse(text) as TemporaryFile;
    return typeof file.path === "string" && file.path.endsWith(`.${name}`) ? file : undefined;
  } catch {
    return undefined;
  }
}
