import type { Document } from "../domain/document.ts";
import type { IndexChange } from "../domain/document-index.ts";
import type { ParseYaml } from "../domain/frontmatter.ts";
import type { DocumentStore } from "./document-store.ts";
import { readDocument } from "./read-document.ts";
import { type FileStamp, type ScanPlace, scanPath } from "./scan-folders.ts";
import { TimeSlice } from "./time-slice.ts";

/** What the mirror remembers of a file. */
interface Known {
  readonly stamp: FileStamp;
  /** The earliest time known for the path, milliseconds since 1970. */
  readonly firstSeen: number;
  /** Whether the file was old enough when it was read for its times to tell of any later change. */
  readonly settled: boolean;
}

export interface MirrorProgress {
  readonly indexed: number;
  readonly found: number;
}

/** Reading goes on for this long before others get their turn, milliseconds. */
const sliceMs = 8;

/** Documents that are put into the store together. */
const batchSize = 500;

/** A change within this time after another may leave a file's times as they were, milliseconds. */
const settlesAfterMs = 2_000;

/** Brings a store in step with what lies on the disk. */
export class DiskMirror {
  readonly #place: ScanPlace;
  readonly #store: DocumentStore;
  readonly #parseYaml: ParseYaml;
  readonly #now: () => Date;
  readonly #known = new Map<string, Known>();
  #progress: MirrorProgress = { indexed: 0, found: 0 };

  constructor(place: ScanPlace, store: DocumentStore, parseYaml: ParseYaml, now: () => Date) {
    this.#place = place;
    this.#store = store;
    this.#parseYaml = parseYaml;
    this.#now = now;
  }

  get progress(): MirrorProgress {
    return this.#progress;
  }

  /**
   * Looks at the given paths and everything below them, `""` for the whole vault, and reads what changed.
   *
   * @throws the error of node:fs when the vault's own folder cannot be read, the signal's reason when aborted.
   */
  async update(paths: readonly string[], signal: AbortSignal): Promise<IndexChange> {
    const scopes = paths.includes("") ? [""] : [...new Set(paths)];
    const slice = new TimeSlice(sliceMs);
    const found = new Map<string, FileStamp>();
    const folders = new Set<string>();
    for (const scope of scopes) {
      const here = await scanPath(this.#place, scope, slice, signal);
      for (const stamp of here.files) found.set(stamp.path, stamp);
      for (const folder of here.folders) folders.add(folder);
    }
    const gone = [...this.#known.keys()].filter((path) => !found.has(path) && isWithin(path, scopes));
    const toRead = [...found.values()].filter((stamp) => !this.#isSame(stamp));
    this.#progress = {
      indexed: this.#known.size - gone.length,
      found: this.#known.size - gone.length + toRead.filter(({ path }) => !this.#known.has(path)).length,
    };
    const changed = await this.#apply(toRead, gone, this.#foldersWith(folders, scopes), slice, signal);
    this.#progress = { indexed: this.#known.size, found: this.#known.size };
    return changed;
  }

  #isSame(stamp: FileStamp): boolean {
    const known = this.#known.get(stamp.path);
    if (known === undefined || !known.settled) return false;
    const old = known.stamp;
    return (
      old.sizeBytes === stamp.sizeBytes &&
      old.modifiedAt === stamp.modifiedAt &&
      old.changedAt === stamp.changedAt &&
      old.inode === stamp.inode
    );
  }

  /** The folders after a look at some paths; undefined where they are the same as before. */
  #foldersWith(found: Set<string>, scopes: readonly string[]): Set<string> | undefined {
    const old = this.#store.folders;
    const kept = [...old].filter((folder) => !isWithin(folder, scopes));
    const folders = new Set([...kept, ...found]);
    return folders.size === old.size && [...folders].every((folder) => old.has(folder)) ? undefined : folders;
  }

  async #apply(
    toRead: readonly FileStamp[],
    gone: readonly string[],
    folders: Set<string> | undefined,
    slice: TimeSlice,
    signal: AbortSignal,
  ): Promise<IndexChange> {
    const changed = [...gone];
    let listChanged = gone.length > 0;
    let batch: Omit<Document, "changedIn">[] = [];
    const commit = () => {
      const first = changed.length === gone.length;
      if (batch.length === 0 && !(first && (gone.length > 0 || folders !== undefined))) return;
      const change = this.#store.change();
      if (first) {
        for (const path of gone) change.remove(path);
        if (folders !== undefined) change.setFolders(folders);
      }
      for (const document of batch) {
        changed.push(document.path);
        change.put({ ...document, changedIn: change.generation } as Document);
      }
      batch = [];
    };
    for (const path of gone) this.#known.delete(path);
    for (const stamp of toRead) {
      await slice.turn(signal);
      const isNew = !this.#known.has(stamp.path);
      listChanged ||= isNew;
      const document = this.#read(stamp);
      if (document !== undefined) batch.push(document);
      if (isNew) this.#progress = { ...this.#progress, indexed: this.#progress.indexed + 1 };
      if (batch.length >= batchSize) commit();
    }
    commit();
    return { paths: changed, listChanged };
  }

  /** The document, or undefined when it turns out to be the same as before. */
  #read(stamp: FileStamp): Omit<Document, "changedIn"> | undefined {
    const { path, modifiedAt, bornAt } = stamp;
    const before = this.#known.get(path);
    const times = [before?.firstSeen, modifiedAt, bornAt].filter((time) => time !== undefined && time > 0);
    const firstSeen = Math.min(...(times as number[]));
    const settled = this.#now().getTime() - Math.max(modifiedAt, stamp.changedAt) > settlesAfterMs;
    const document = readDocument(this.#place.root, stamp, this.#parseYaml, firstSeen);
    this.#known.set(path, { stamp, firstSeen, settled });
    const old = this.#store.get(path);
    const isSame =
      old?.kind === "note" &&
      document.kind === "note" &&
      old.etag !== undefined &&
      old.etag === document.etag &&
      old.modifiedAt === document.modifiedAt;
    return isSame ? undefined : document;
  }
}

function isWithin(path: string, scopes: readonly string[]): boolean {
  return scopes.some((scope) => scope === "" || path === scope || path.startsWith(`${scope}/`));
}
