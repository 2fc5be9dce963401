import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { VaultError } from "../../domain/errors.ts";
import { etagOf, partialEtag } from "../../domain/etag.ts";
import { fold } from "../../domain/fold.ts";
import type { ParseYaml } from "../../domain/note/frontmatter.ts";
import type { VaultFile } from "../../domain/vault-reader.ts";
import type {
  KeptVersion,
  NewEntry,
  NoteFiles,
  Outcome,
  WholeFile,
} from "../../domain/writing/note-files.ts";
import type { RenameFiles } from "../../domain/writing/rename/rename-files.ts";
import { mimeTypeOf } from "../mime-type.ts";
import { findNewPlace, statOf, type WritePlace } from "./find-place.ts";
import { KeptContents } from "./kept-contents.ts";
import { makeFile } from "./make-file.ts";
import { once } from "./once.ts";
import { journalPath, RenameJournal } from "./rename/rename-journal.ts";
import type { VaultMover } from "./rename/vault-mover.ts";
import { replaceFile } from "./replace-file.ts";
import { SavesByOthers } from "./saves-by-others.ts";
import { type TemporaryFile, TemporaryFiles } from "./temporary-files.ts";
import { moveToTrash, trashPaths } from "./trash-folder.ts";
import { isSystemError, notWritten } from "./write-errors.ts";
import { WriteLock } from "./write-lock.ts";

/** Contents beyond this size are not kept aside, bytes; a deleted file of any size is in the trash. */
const largestKept = 50_000_000;

export interface WriterSettings extends WritePlace {
  loadYamlParser(): Promise<ParseYaml>;
  /** Tells what was put right after a crash. */
  report(message: string): void;
  /** The folder of this vault's state, outside the vault; made with the first write. */
  readonly stateFolder: string;
  now(): Date;
}

/** Changes the files of a vault on the file system. */
export class VaultWriter implements NoteFiles {
  /** Moves files and folders, in turns of this writer. */
  readonly renames: RenameFiles;
  readonly #place: WritePlace;
  readonly #stateFolder: string;
  readonly #temporary: TemporaryFiles;
  readonly #saves: SavesByOthers;
  readonly #kept: KeptContents;
  readonly #lock: WriteLock;

  readonly #loadMover: () => Promise<VaultMover>;
  readonly #report: (message: string) => void;

  constructor({ root, visibility, stateFolder, now, loadYamlParser, report }: WriterSettings) {
    this.#place = { root, visibility };
    this.#stateFolder = stateFolder;
    this.#temporary = new TemporaryFiles(join(stateFolder, "temporary"));
    this.#saves = new SavesByOthers(join(stateFolder, "own"), now);
    this.#kept = new KeptContents(join(stateFolder, "kept"), now);
    this.#lock = new WriteLock(stateFolder, () => this.#begin());
    this.#report = report;
    const journal = new RenameJournal(journalPath(stateFolder));
    const parts = {
      place: this.#place,
      temporary: this.#temporary,
      saves: this.#saves,
      kept: this.#kept,
      journal,
      loadYamlParser,
    };
    // What reads Markdown and links is large, and few sessions rename.
    this.#loadMover = once(async () => new (await import("./rename/vault-mover.ts")).VaultMover(parts));
    this.renames = {
      findItem: async (...args) => (await this.#loadMover()).findItem(...args),
      findTarget: async (...args) => (await this.#loadMover()).findTarget(...args),
      scan: async (...args) => (await this.#loadMover()).scan(...args),
      readContent: async (...args) => (await this.#loadMover()).readContent(...args),
      move: async (...args) => (await this.#loadMover()).move(...args),
    };
  }

  /** Whether a crash cut a rename short, or left a note out of its place; the next turn puts that right. */
  get isUnfinished(): boolean {
    return existsSync(journalPath(this.#stateFolder)) || this.#temporary.hasAside;
  }

  async exclusively<Result>(
    signal: AbortSignal,
    turn: () => Promise<Result>,
    note?: string,
  ): Promise<Result> {
    try {
      mkdirSync(this.#stateFolder, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw this.#stateless(error);
    }
    return this.#lock.run(signal, turn, note === undefined ? undefined : this.#identify(note));
  }

  async create(path: string, given: string, bytes: Uint8Array): Promise<NewEntry> {
    return this.#translating(given, async () => {
      const place = findNewPlace(this.#place, path, given);
      if (this.#place.visibility.kindOf(place.path) === undefined) {
        throw new VaultError("KIND_NOT_SERVED", { path: given, served: this.#place.visibility.attachments });
      }
      try {
        await makeFile(place, bytes, { temporary: this.#temporary, saves: this.#saves });
      } catch (error) {
        if ((error as { code?: unknown }).code !== "EEXIST") throw error;
        throw new VaultError("ALREADY_EXISTS", { path: given, found: place.path }, { cause: error });
      }
      return { path: place.path, scope: place.scope };
    });
  }

  async replace(file: WholeFile, given: string, bytes: Uint8Array): Promise<Outcome> {
    return this.#translating(given, async () => {
      const { path } = file;
      const absolute = join(this.#place.root, path);
      const expected = etagOf(file.bytes);
      const replacing = { temporary: this.#temporary, saves: this.#saves };
      // The old content is made to last while the new one is.
      const keeping = this.#kept.keep(path, file.bytes, false);
      const [kept, replaced] = await both(
        keeping,
        replaceFile({ absolute, path, given, expected }, bytes, replacing, keeping),
      );
      const last = replaced.overtaken;
      const overtaken = last === undefined ? undefined : await this.#kept.keep(path, last, false);
      return { kept, overtaken, otherNames: replaced.otherNames };
    });
  }

  async trash(file: VaultFile, given: string): Promise<Outcome & { trashPath: string }> {
    return this.#translating(given, async () => {
      const { root } = this.#place;
      const { path, bytes } = file;
      const kept = bytes === undefined ? undefined : await this.#kept.keep(path, bytes, true);
      if (bytes !== undefined && this.#readNow(path, given) !== etagOf(bytes)) {
        throw new VaultError("ETAG_MISMATCH", {
          path: given,
          current: partialEtag(this.#readNow(path, given)),
        });
      }
      const trashPath = await moveToTrash(root, path, given);
      const last =
        lstatSync(join(root, trashPath)).size > largestKept ? undefined : readFileSync(join(root, trashPath));
      const isSame = last === undefined || bytes === undefined || etagOf(last) === etagOf(bytes);
      const overtaken = isSame ? undefined : await this.#kept.keep(path, last, true);
      return { trashPath, kept, overtaken, otherNames: 0 };
    });
  }

  versions(path: string): Promise<readonly KeptVersion[]> {
    return this.#kept.versions(path);
  }

  async readVersion(path: string, version: string): Promise<WholeFile | undefined> {
    const kept = (await this.#kept.versions(path)).find((one) => one.version === version);
    const bytes = kept === undefined ? undefined : await this.#kept.read(path, version);
    if (kept === undefined || bytes === undefined) return undefined;
    const kind = this.#place.visibility.kindOf(path) ?? "attachment";
    return { path, kind, mimeType: mimeTypeOf(path), modifiedAt: kept.at, sizeBytes: bytes.length, bytes };
  }

  async forgetTrashed(path: string, version: string): Promise<void> {
    for (const trashPath of trashPaths(path)) {
      const absolute = join(this.#place.root, trashPath);
      const stat = statOf(absolute);
      if (stat === undefined) return;
      if (!stat.isFile() || stat.size > largestKept || etagOf(readFileSync(absolute)) !== version) continue;
      rmSync(absolute);
      return;
    }
  }

  /** Waits for the writer that is at work. */
  async close(): Promise<void> {
    await this.#lock.close();
  }

  /** One for all paths that lead to a note. */
  #identify(path: string): string {
    try {
      return realpathSync.native(join(this.#place.root, path));
    } catch {
      return fold(path);
    }
  }

  #readNow(path: string, given: string): string {
    const absolute = join(this.#place.root, path);
    if (!lstatSync(absolute).isFile())
      throw new VaultError("NOT_A_FILE", { path: given, what: "no plain file any more" });
    return etagOf(readFileSync(absolute));
  }

  /** Puts away what a killed writer left behind; what an editor had saved into it is kept. */
  async #begin(): Promise<void> {
    try {
      for (const path of this.#temporary.putBack())
        this.#report(`put ${JSON.stringify(path)} back in its place`);
      const recovered = await this.#recover();
      if (recovered !== undefined) this.#report(recovered);
      await this.#temporary.sweep((file) => this.#rescue(file));
      this.#saves.prune();
      await this.#kept.prune();
    } catch (error) {
      throw this.#stateless(error);
    }
  }

  async #recover(): Promise<string | undefined> {
    return existsSync(journalPath(this.#stateFolder)) ? (await this.#loadMover()).recover() : undefined;
  }

  async #rescue({ path, target, expected }: TemporaryFile): Promise<void> {
    if (statOf(path)?.isFile() !== true) return;
    const bytes = readFileSync(path);
    if (etagOf(bytes) !== expected) await this.#kept.keep(target, bytes, false);
  }

  #stateless(error: unknown): VaultError {
    const failure = notWritten(this.#place.root, "", error);
    return failure.code === "NOT_WRITTEN" ? withoutState(failure) : failure;
  }

  async #translating<Result>(given: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw isSystemError(error) ? notWritten(this.#place.root, given, error) : error;
    }
  }
}

/** Waits for both, also where one fails; rejects with what the second was rejected with, else the first. */
async function both<First, Second>(
  first: Promise<First>,
  second: Promise<Second>,
): Promise<readonly [First, Second]> {
  await Promise.allSettled([first, second]);
  const last = await second;
  return [await first, last];
}

/** The folder's own path stays out of answers: it lies outside the vault. */
function withoutState(failure: VaultError): VaultError {
  const { reason, retry } = failure.details as { reason: string; retry: boolean };
  const text = `the server's state folder, which keeps older contents, cannot be used: ${reason}`;
  return new VaultError("NOT_WRITTEN", { path: "", reason: text, retry }, { cause: failure.cause });
}
