import type { CheckOptions, CheckReport, StoreTotals } from "./check.ts";
import type { ContentFacts } from "./content.ts";
import type { FileChanges } from "./file-changes.ts";
import type { AppsPage, AppsQuery, HistoryPage, HistoryQuery } from "./file-past.ts";
import type { EditSummary, FileRecord, WriteReceipt } from "./file-record.ts";
import type { LinkStore } from "./link.ts";
import type { Listing, ListQuery } from "./listing.ts";
import type { UploadStore } from "./upload.ts";

/** A call that is carried out once: `fingerprint` stands for everything that it asks for. */
export interface Command {
  readonly id: string;
  readonly fingerprint: string;
}

/** What a new version of a path is, but for its bytes. */
export interface NewContent {
  readonly app: string;
  /** As `parsePath` gives it. */
  readonly path: string;
  /** What the caller said; else the file's own is kept, else `detectedMime` is taken. */
  readonly mime?: string | undefined;
  readonly detectedMime: string;
  /** 0: the file must not exist. */
  readonly expectedVersion?: number | undefined;
  readonly command?: Command | undefined;
  /** What an edit did, kept with its receipt. */
  readonly edit?: EditSummary | undefined;
  /** Who writes, for the history. */
  readonly client: string;
}

/** One new version of a path. */
export interface WriteRequest extends NewContent {
  readonly bytes: Uint8Array;
  readonly facts: ContentFacts;
}

/** A new version whose content was staged. */
export interface StagedRequest extends NewContent {
  /** The upload that it came from, which the write ends. */
  readonly upload?: string | undefined;
}

/** A content on its way into the store, piece by piece, that is never in memory whole. */
export interface Staging {
  append(bytes: Uint8Array): Promise<void>;
  /** Ends the content and makes it durable. */
  seal(): Promise<ContentFacts>;
  /** Bytes of what was sealed from `offset` on, `length` of them or fewer at the end. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /**
   * Adds what was sealed as a version, as `FileStore.write` does.
   *
   * @throws AppFilesError what `write` throws, and UPLOAD_NOT_FOUND.
   */
  write(request: StagedRequest, options?: CallOptions): Promise<WriteReceipt>;
  /** Lets go of it; to be called at the end, also after a write. */
  discard(): Promise<void>;
}

/** The bytes of one stored version. */
export interface StoredContent {
  readonly record: FileRecord;
  readonly facts: ContentFacts;
  /**
   * Bytes from `offset` on, `length` of them or fewer at the end, as they lie there: not verified yet.
   *
   * @param into Where they may be put, for whoever reads much: of `length` bytes or more.
   * @throws AppFilesError CORRUPT where they are missing.
   */
  read(offset: number, length: number, into?: Uint8Array): Promise<Uint8Array>;
}

/** What happened to one path. */
export interface Change {
  readonly app: string;
  readonly path: string;
  readonly kind: "created" | "updated" | "deleted";
}

/** A page over the files of all apps. */
export interface AllFilesPage {
  readonly allows: (app: string) => boolean;
  readonly after?: readonly [app: string, path: string] | undefined;
  readonly limit: number;
}

/** A file of some app, for lists over all apps. */
export interface AppFile {
  readonly app: string;
  readonly file: FileRecord;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * The files of all apps. Every method is one transaction: it happens whole or not at all, and what it reports is
 * durable. Apps and paths are valid when they come here. Besides what is named below, a call can fail with
 * STORE_UNAVAILABLE, and with the reason of its signal.
 */
export interface FileStore extends FileChanges {
  /**
   * One page of an app's files with the app's usage and version.
   *
   * @throws AppFilesError CHANGES_EXPIRED, INVALID_ARGUMENT (a `since` of the future), PATTERN_TOO_COSTLY
   */
  list(query: ListQuery, options?: CallOptions): Promise<Listing>;
  /** Up to `limit` files of all apps that are allowed, by app and path. */
  listAll(
    page: AllFilesPage,
    options?: CallOptions,
  ): Promise<{ readonly files: readonly AppFile[]; readonly more: boolean }>;
  /** A page of the apps that have files and are allowed, by name. */
  listApps(query: AppsQuery, options?: CallOptions): Promise<AppsPage>;
  /**
   * What is kept of a path's past, its current version first.
   *
   * @throws AppFilesError NOT_FOUND
   */
  history(query: HistoryQuery, options?: CallOptions): Promise<HistoryPage>;
  /** The current version of a file; undefined where there is none. */
  find(app: string, path: string, options?: CallOptions): Promise<FileRecord | undefined>;
  /**
   * The content of a file, of exactly `version` where one is given.
   *
   * @throws AppFilesError NOT_FOUND, VERSION_GONE
   */
  open(app: string, path: string, version?: number, options?: CallOptions): Promise<StoredContent>;
  /**
   * The receipt of a write that was carried out before; undefined for a new one.
   *
   * @throws AppFilesError COMMAND_ID_REUSED
   */
  receipt(command: Command, options?: CallOptions): Promise<WriteReceipt | undefined>;
  /**
   * Adds a version. A command that was carried out before gives its receipt and changes nothing.
   *
   * @throws AppFilesError VERSION_CONFLICT, PATH_COLLISION, LIMIT_EXCEEDED, COMMAND_ID_REUSED
   */
  write(request: WriteRequest, options?: CallOptions): Promise<WriteReceipt>;
  /** Begins a content that comes piece by piece. */
  stage(): Promise<Staging>;
  /** Contents that come in chunks, over many calls. */
  readonly uploads: UploadStore;
  /** Links by which a version can be read once. */
  readonly links: LinkStore;
  /** Tells of changes from now on, other processes' too. Returns what ends it. */
  watch(listener: (changes: readonly Change[]) => void): () => void;
  /** Forgets what the retention rules no longer keep and collects what is orphaned; a bounded step of both. */
  maintain(options?: CallOptions): Promise<void>;
  /** Verifies everything and repairs what can be, if the store may be written; however long it takes. */
  check(options?: CheckOptions): Promise<CheckReport>;
  totals(options?: CallOptions): Promise<StoreTotals>;
  close(): void;
}
