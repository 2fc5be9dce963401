import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { giveBack } from "./names-of-files.ts";

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
    return this.#remember(name.slice(1), { path: join(folder, name), target, ...tagged(expected) }, false);
  }

  /**
   * Names a place in a folder for a file that is taken out of its own for a moment. Remembered so that it outlasts a power
   * cut: until its name is given again, it has no other.
   */
  takeAside(folder: string, target: string, expected?: string): TemporaryFile & { end(): void } {
    const name = temporaryName();
    const file = { path: join(folder, name), target, ...tagged(expected) };
    return this.#remember(`${asidePrefix}${name.slice(1)}`, file, true);
  }

  /** Whether a file may be out of its place. */
  get hasAside(): boolean {
    return existsSync(this.#folder) && readdirSync(this.#folder).some(isAside);
  }

  /**
   * Puts back what a killed writer took out of its place, where nothing has come there since. Only for who holds the lock
   * of all writers.
   *
   * @returns the vault-relative paths.
   */
  putBack(): string[] {
    this.open();
    const records = readdirSync(this.#folder).filter(isAside);
    return records.flatMap((name) =>
      parseRecord(readFileSync(join(this.#folder, name), "utf8")).flatMap(({ path, target }) => {
        if (!existsSync(path)) return [];
        return giveBack(path, join(dirname(path), basename(target))) ? [target] : [];
      }),
    );
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

  #remember(name: string, file: TemporaryFile, isDurable: boolean): TemporaryFile & { end(): void } {
    const record = join(this.#folder, name);
    const handle = openSync(record, "wx", 0o600);
    try {
      writeFileSync(handle, JSON.stringify(file));
      if (isDurable) fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    return {
      ...file,
      end: () => {
        rmSync(file.path, { force: true });
        rmSync(record, { force: true });
      },
    };
  }
}

const prefix = ".vault-mcp-";
const asidePrefix = "aside-";

function temporaryName(): string {
  return `${prefix}${randomBytes(8).toString("hex")}`;
}

function tagged(expected: string | undefined) {
  return expected === undefined ? {} : { expected };
}

function isAside(record: string): boolean {
  return record.startsWith(asidePrefix);
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
