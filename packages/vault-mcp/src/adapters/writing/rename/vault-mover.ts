import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { VaultError } from "../../../domain/errors.ts";
import { etagOf } from "../../../domain/etag.ts";
import type { ParseYaml } from "../../../domain/note/frontmatter.ts";
import type { NewEntry } from "../../../domain/writing/note-files.ts";
import { type Move, movedPath } from "../../../domain/writing/rename/moves.ts";
import { replanRename } from "../../../domain/writing/rename/plan-rename.ts";
import type {
  ChangedFile,
  MovableItem,
  MoveOutcome,
  MoveWatcher,
  RenameFiles,
  ScannedFile,
} from "../../../domain/writing/rename/rename-files.ts";
import type { RenamePlanner } from "../../../domain/writing/rename/rename-planner.ts";
import { scanFolder } from "../../scan-folders.ts";
import { TimeSlice } from "../../time-slice.ts";
import { findEntry, findNewPlace, statOf, type WritePlace } from "../find-place.ts";
import type { KeptContents } from "../kept-contents.ts";
import { makeFolder } from "../make-file.ts";
import { once } from "../once.ts";
import { refuseReadOnly, replaceFile, swapFile } from "../replace-file.ts";
import type { SavesByOthers } from "../saves-by-others.ts";
import { stageFile } from "../stage-file.ts";
import { syncFolder } from "../sync-folder.ts";
import type { TemporaryFiles } from "../temporary-files.ts";
import { isSystemError, notWritten } from "../write-errors.ts";
import { inParallel } from "./in-parallel.ts";
import { moveEntry } from "./move-entry.ts";
import type { Journal, JournalFile, RenameJournal } from "./rename-journal.ts";

const largestRead = 50_000_000;
const sliceMs = 8;
/** Files that are staged at once: most of the time is spent in waiting for the disk. */
const stagedAtOnce = 8;
const mostAttempts = 5;

interface ChangedText {
  /** Whether the text had to be worked out anew, since it was not the planned one. */
  readonly isReworked: boolean;
  /** Other names (hard links) of the old file, which keep the old text. */
  readonly otherNames: number;
}

export interface MoverParts {
  readonly place: WritePlace;
  readonly temporary: TemporaryFiles;
  readonly saves: SavesByOthers;
  readonly kept: KeptContents;
  readonly journal: RenameJournal;
  loadYamlParser(): Promise<ParseYaml>;
}

/** Moves files and folders of a vault on the file system, with the texts that change with them. */
export class VaultMover implements RenameFiles {
  readonly #parts: MoverParts;

  constructor(parts: MoverParts) {
    this.#parts = parts;
  }

  async findItem(path: string, given: string): Promise<MovableItem | undefined> {
    const { place } = this.#parts;
    return this.#translating(given, async () => {
      const found = findEntry(place, path, given);
      if (found === undefined) return undefined;
      const isFolder = found.stat.isDirectory();
      if (!isFolder && !found.stat.isFile()) {
        const what = found.stat.isSymbolicLink()
          ? "a link, of which only the target can be renamed"
          : "a device, pipe or socket";
        throw new VaultError("NOT_A_FILE", { path: given, what });
      }
      if (!isFolder) this.#checkKind(found.path, given);
      return { path: found.path, isFolder };
    });
  }

  async findTarget({ path, isFolder }: MovableItem, newPath: string, given: string): Promise<NewEntry> {
    const { place } = this.#parts;
    return this.#translating(given, async () => {
      const { path: target, scope } = findNewPlace(place, newPath, given, path);
      if (!isFolder) this.#checkKind(target, given);
      return { path: target, scope };
    });
  }

  async scan(signal: AbortSignal): Promise<readonly ScannedFile[]> {
    const { root, visibility } = this.#parts.place;
    const where = { root, visibility, warn: () => {} };
    return this.#translating(
      "",
      async () => (await scanFolder(where, "", new TimeSlice(sliceMs), signal)).files,
    );
  }

  async readContent(path: string): Promise<Buffer | undefined> {
    return this.#read(path);
  }

  async move(
    { path: from, isFolder }: MovableItem,
    to: string,
    given: string,
    changed: readonly ChangedFile[],
    signal: AbortSignal,
    watcher: MoveWatcher,
  ): Promise<MoveOutcome> {
    const { journal, temporary, kept, place } = this.#parts;
    const move = { from, to };
    const files = changed.map(({ path, before, after }): JournalFile => {
      const draft = temporary.pathIn(dirname(path));
      return { path, before: etagOf(before), after: etagOf(after), draft };
    });
    const { root } = place;
    const drafts = temporary.beginAll(
      files.flatMap(({ draft }) => [join(root, draft), join(root, draftAfter({ ...move, isFolder }, draft))]),
    );
    try {
      return await this.#translating(given, async () => {
        await inParallel(changed, stagedAtOnce, ({ path, before, after }, index) =>
          this.#translating(path, async () => {
            signal.throwIfAborted();
            const absolute = join(root, path);
            refuseReadOnly(absolute);
            await stageFile(join(root, files[index]?.draft ?? ""), after, lstatSync(absolute));
            await kept.keep(path, before, false, false);
          }),
        );
        signal.throwIfAborted();
        await this.#makeParents(to);
        await journal.write({ ...move, isFolder, files });
        if (signal.aborted) {
          await journal.remove();
          throw signal.reason;
        }
        return await this.#carryOut({ ...move, isFolder, files }, given, watcher);
      });
    } finally {
      drafts.end();
    }
  }

  /**
   * Completes a rename that a crash cut short. Only for who holds the lock of all writers, before temporary files go.
   *
   * @returns what was done; undefined where there was none.
   */
  async recover(): Promise<string | undefined> {
    const { journal } = this.#parts;
    const open = journal.read();
    if (open === undefined) return undefined;
    const what = `the rename of ${JSON.stringify(open.from)} to ${JSON.stringify(open.to)}`;
    try {
      const { left } = await this.#carryOut(open, open.from);
      return `completed ${what}${left.length === 0 ? "" : `, but for ${left.length} files that cannot be changed`}`;
    } catch (error) {
      if (!(error instanceof VaultError) || error.code === "VAULT_UNREADABLE") throw error;
      return `gave up ${what}: ${error.code}`;
    }
  }

  /** The move, then the texts; the journal goes at the end, or where nothing has happened. */
  async #carryOut(open: Journal, given: string, watcher?: MoveWatcher): Promise<MoveOutcome> {
    const { journal, place, kept } = this.#parts;
    const result = await this.#moveOrGiveUp(open, given);
    if (result !== "moved") {
      await journal.remove();
      if (result === "taken") throw new VaultError("ALREADY_EXISTS", { path: given, found: open.to });
      throw new VaultError("NOT_WRITTEN", { path: given, reason: "it is gone by now", retry: false });
    }
    watcher?.moved();
    const reworked: string[] = [];
    const parted: string[] = [];
    const left: { path: string; reason: string }[] = [];
    const planner = once(() => this.#replan(open));
    for (const [index, file] of open.files.entries()) {
      const path = movedPath(open, file.path);
      try {
        const { isReworked, otherNames } = await this.#changeInTime(open, file, path, planner);
        if (isReworked) reworked.push(path);
        if (otherNames > 0) parted.push(path);
      } catch (error) {
        const { code, details } = notWritten(place.root, path, error);
        if (code === "VAULT_UNREADABLE") throw error;
        left.push({ path, reason: "reason" in details ? details.reason : code });
      }
      watcher?.changed(index + 1);
    }
    const touched = [open.from, open.to, ...open.files.map(({ path }) => movedPath(open, path))];
    await inParallel([...new Set(touched.map((path) => dirname(path)))], stagedAtOnce, (folder) =>
      syncFolder(join(place.root, folder)),
    );
    if (!open.isFolder) await kept.move(open.from, open.to);
    await journal.remove();
    return { reworked, parted, left };
  }

  /** An error that comes before the move leaves everything as it was, and so no journal. */
  async #moveOrGiveUp(open: Journal, given: string) {
    const { journal, place, temporary } = this.#parts;
    try {
      return moveEntry({ root: place.root, temporary }, open, open.isFolder);
    } catch (error) {
      const isThere =
        statOf(join(place.root, open.from)) !== undefined && statOf(join(place.root, open.to)) === undefined;
      if (isThere) await journal.remove();
      throw notWritten(place.root, given, error);
    }
  }

  /** Another program may save while the file is changed; what it saved is changed then. */
  async #changeInTime(
    open: Journal,
    file: JournalFile,
    path: string,
    planner: () => Promise<RenamePlanner>,
  ): Promise<ChangedText> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#change(open, file, path, planner);
      } catch (error) {
        const isSaved = error instanceof VaultError && error.code === "ETAG_MISMATCH";
        if (!isSaved || attempt === mostAttempts) throw error;
      }
    }
  }

  /** Brings one file to its new text. */
  async #change(
    open: Journal,
    { path: oldPath, before, after, draft }: JournalFile,
    path: string,
    planner: () => Promise<RenamePlanner>,
  ): Promise<ChangedText> {
    const { place, kept } = this.#parts;
    const absolute = join(place.root, path);
    let bytes = this.#read(path);
    if (bytes === undefined)
      throw new VaultError("NOT_WRITTEN", { path, reason: "it is gone by now", retry: false });
    let current = etagOf(bytes);
    if (current === after) return { isReworked: false, otherNames: 0 };
    const staged = join(place.root, draftAfter(open, draft));
    let otherNames = 0;
    if (current === before && statOf(staged)?.isFile() === true && etagOf(readFileSync(staged)) === after) {
      const target = { absolute, path, given: path, expected: current };
      const replaced = swapFile(target, staged, this.#parts);
      ({ otherNames } = replaced);
      if (replaced.overtaken === undefined) return { isReworked: false, otherNames };
      await kept.keep(path, replaced.overtaken, false);
      [bytes, current] = [replaced.overtaken, after];
    }
    if (!isUtf8(bytes)) throw new VaultError("NOT_TEXT", { path, line: 1 });
    const text = bytes.toString("utf8");
    const rewritten = Buffer.from((await planner()).rewrite(oldPath, text).text);
    if (etagOf(rewritten) === current) return { isReworked: false, otherNames };
    await kept.keep(path, bytes, false);
    const target = { absolute, path, given: path, expected: current };
    const replaced = await replaceFile(target, rewritten, this.#parts);
    if (replaced.overtaken !== undefined) await kept.keep(path, replaced.overtaken, false);
    return { isReworked: true, otherNames: otherNames + replaced.otherNames };
  }

  async #replan(move: Move): Promise<RenamePlanner> {
    const parseYaml = await this.#parts.loadYamlParser();
    return replanRename(this, move, { parseYaml, signal: new AbortController().signal });
  }

  async #makeParents(to: string): Promise<void> {
    const { root } = this.#parts.place;
    let folder = root;
    for (const name of to.split("/").slice(0, -1)) {
      folder = join(folder, name);
      makeFolder(folder);
    }
    await syncFolder(dirname(folder));
  }

  #read(path: string): Buffer | undefined {
    let file: number | undefined;
    try {
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
      file = openSync(join(this.#parts.place.root, path), flags);
      const stat = fstatSync(file);
      return stat.isFile() && stat.size <= largestRead ? readFileSync(file) : undefined;
    } catch {
      return undefined;
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }

  #checkKind(path: string, given: string): void {
    const { visibility } = this.#parts.place;
    if (visibility.kindOf(path) !== undefined) return;
    throw new VaultError("KIND_NOT_SERVED", { path: given, served: visibility.attachments });
  }

  async #translating<Result>(given: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw isSystemError(error) ? notWritten(this.#parts.place.root, given, error) : error;
    }
  }
}

/** A staged text moves along with the folder that it is in. */
function draftAfter(move: Move & { readonly isFolder: boolean }, draft: string): string {
  return move.isFolder ? movedPath(move, draft) : draft;
}
