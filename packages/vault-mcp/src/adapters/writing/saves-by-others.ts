import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, type Stats, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Who has put a note in its place by a rename may do so again within this time, milliseconds. */
const quietMs = 600_000;

/** What is known of a path. */
interface Mark {
  /** The file that a server put there. */
  readonly own: string;
  /** When another program's file was found there last, milliseconds since 1970; 0 for never. */
  readonly otherAt: number;
}

/**
 * Tells which files other programs put in their places lately, as editors and synchronising programs do that save by a
 * rename: the file itself is young then, and none that a server of this vault wrote. What the servers wrote is marked in
 * a folder that they share.
 */
export class SavesByOthers {
  readonly #folder: string;
  readonly #now: () => Date;

  /** @param folder of the marks; made when it is missing. */
  constructor(folder: string, now: () => Date) {
    this.#folder = folder;
    this.#now = now;
  }

  /**
   * Marks a file as written by a server.
   *
   * @param found the file in whose place it will be, if there is one.
   * @returns whether another program put a file in this place lately, and so may at any instant.
   */
  mark(path: string, next: Stats, found?: Stats): boolean {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const file = join(
      this.#folder,
      createHash("sha256").update(path.normalize("NFC")).digest("hex").slice(0, 32),
    );
    const { own, otherAt } = readMark(file);
    const now = this.#now().getTime();
    const isOther =
      found !== undefined && identityOf(found) !== own && Math.abs(now - bornAt(found)) < quietMs;
    const mark: Mark = { own: identityOf(next), otherAt: isOther ? now : otherAt };
    writeFileSync(file, JSON.stringify(mark), { mode: 0o600 });
    return Math.abs(now - mark.otherAt) < quietMs;
  }

  /** Removes the marks of files that are old enough to be told without. */
  prune(): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(this.#folder)) {
      const file = join(this.#folder, name);
      const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: 0 };
      if (Math.abs(this.#now().getTime() - mtimeMs) > quietMs) rmSync(file, { force: true });
    }
  }
}

function readMark(file: string): Mark {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return { own: "", otherAt: 0 };
  }
}

function identityOf({ dev, ino, birthtimeMs }: Stats): string {
  return `${dev} ${ino} ${birthtimeMs}`;
}

/** Some file systems know no time of birth; the last change is never before it. */
function bornAt({ birthtimeMs, ctimeMs }: Stats): number {
  return birthtimeMs > 0 ? birthtimeMs : ctimeMs;
}
