import { comparePaths } from "./file-path.ts";
import type { FileRecord, WriteReceipt } from "./file-record.ts";
import type { CallOptions, Command } from "./store.ts";

/** Files that one call deletes or restores at most: a longer transaction would hold up everybody else. */
export const mostAtOnce = 2_000;

/** Files that the receipt of such a call names; of the others it tells the number. */
export const mostNamed = 200;

/** What every change has. */
export interface ChangeRequest {
  readonly app: string;
  readonly command?: Command | undefined;
  /** Who asks, for the history. */
  readonly client: string;
}

/** A change that can be rehearsed. */
export interface RehearsedRequest extends ChangeRequest {
  /** Tells what would happen, or why it would be refused, and does nothing. */
  readonly dryRun?: boolean | undefined;
}

export interface TransferRequest extends ChangeRequest {
  readonly path: string;
  readonly newApp: string;
  readonly newPath: string;
  /** Whether a file may be there already. */
  readonly overwrite: boolean;
  /** Of the file at `path`. */
  readonly expectedVersion?: number | undefined;
}

/** What a copy or a move comes to: the new version, and where it came from. */
export interface TransferReceipt extends WriteReceipt {
  readonly from: {
    readonly app: string;
    readonly path: string;
    readonly version: number;
    /** Of its app after all. */
    readonly filesVersion: number;
  };
}

export interface RemoveRequest extends RehearsedRequest {
  readonly path: string;
  readonly expectedVersion?: number | undefined;
}

/** What a deletion comes to; `version` is the last one of the file. */
export interface RemovalReceipt {
  readonly app: string;
  readonly path: string;
  readonly version: number;
  /** Bytes. */
  readonly size: number;
  readonly deletedAt: number;
  readonly filesVersion: number;
}

export interface RemoveAllRequest extends RehearsedRequest {
  /** Paths that start with it, as text. */
  readonly prefix: string;
  /** How many files the caller means to delete. */
  readonly expectedCount?: number | undefined;
}

/** What the deletion of a prefix comes to. */
export interface RemovalSummary {
  readonly app: string;
  readonly count: number;
  readonly bytes: number;
  /** The first of them, by path. */
  readonly files: readonly Pick<FileRecord, "path" | "version" | "size">[];
  readonly filesVersion: number;
}

export interface RestoreRequest extends RehearsedRequest {
  readonly path: string;
  /** Without it, the content that the file had when it was deleted. */
  readonly version?: number | undefined;
  readonly expectedVersion?: number | undefined;
}

/** What the restoration of one file comes to: a new version with the content of `from`. */
export interface RestoreReceipt extends WriteReceipt {
  readonly from: { readonly version: number };
}

export interface RestoreAllRequest extends RehearsedRequest {
  /** Paths that start with it, as text. */
  readonly prefix: string;
  /** The files_version of the app that the files are to be as of. */
  readonly asOf: number;
}

/** What happened to one file when a prefix was restored. */
export interface RestoredFile {
  readonly path: string;
  readonly action: "restored" | "deleted";
  /** The new version, or the last one of a deleted file. */
  readonly version: number;
  /** The version whose content it has now. */
  readonly fromVersion?: number | undefined;
}

/** The files that a receipt names: deletions first, then the others by path. */
export function nameRestored(
  deleted: readonly RestoredFile[],
  restored: readonly RestoredFile[],
): RestoredFile[] {
  const ordered = restored.toSorted((a, b) => comparePaths(a.path, b.path));
  return [...deleted, ...ordered].slice(0, mostNamed);
}

/** What the restoration of a prefix comes to. */
export interface RestoreSummary {
  readonly app: string;
  readonly restored: number;
  readonly deleted: number;
  /** The first of them: deletions, then the others, both by path. */
  readonly files: readonly RestoredFile[];
  readonly filesVersion: number;
}

/** Changes that bring no bytes; no content is copied. A command that was carried out before gives its receipt. */
export interface FileChanges {
  /**
   * Stores a file's content under another path too.
   *
   * @throws AppFilesError NOT_FOUND, VERSION_CONFLICT, FILE_EXISTS, PATH_COLLISION, LIMIT_EXCEEDED, CORRUPT,
   *   COMMAND_ID_REUSED
   */
  copy(request: TransferRequest, options?: CallOptions): Promise<TransferReceipt>;
  /** The same, and deletes the file at the old path, whose history stays there. */
  move(request: TransferRequest, options?: CallOptions): Promise<TransferReceipt>;
  /**
   * Deletes a file; its versions stay in the history.
   *
   * @throws AppFilesError NOT_FOUND, VERSION_CONFLICT, COMMAND_ID_REUSED
   */
  remove(request: RemoveRequest, options?: CallOptions): Promise<RemovalReceipt>;
  /**
   * Deletes all files of a prefix.
   *
   * @throws AppFilesError COUNT_CONFLICT, TOO_MANY_FILES, COMMAND_ID_REUSED
   */
  removeAll(request: RemoveAllRequest, options?: CallOptions): Promise<RemovalSummary>;
  /**
   * Makes an older content of a file the current one, as a new version.
   *
   * @throws AppFilesError NOT_FOUND, VERSION_GONE, NOT_DELETED, VERSION_CONFLICT, PATH_COLLISION, LIMIT_EXCEEDED,
   *   CORRUPT, COMMAND_ID_REUSED
   */
  restore(request: RestoreRequest, options?: CallOptions): Promise<RestoreReceipt>;
  /**
   * Makes the files of a prefix what they were: files that were changed or deleted since get a new version with
   * their content of then, files that came since are deleted.
   *
   * @throws AppFilesError HISTORY_EXPIRED, TOO_MANY_FILES, INVALID_ARGUMENT (a files_version of the future),
   *   PATH_COLLISION, LIMIT_EXCEEDED, CORRUPT, COMMAND_ID_REUSED
   */
  restoreAll(request: RestoreAllRequest, options?: CallOptions): Promise<RestoreSummary>;
}
