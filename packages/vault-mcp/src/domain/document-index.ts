import type { ListPage, ListRequest } from "./listing/listing.ts";
import type { FolderScope } from "./restrict/folder-scope.ts";

export interface IndexProgress {
  /** `building` until the index has caught up with the disk once; `failed` when the vault cannot be read. */
  readonly state: "building" | "ready" | "failed";
  /** Files whose content is in the index, and all that the scan has found so far. */
  readonly indexed: number;
  readonly found: number;
  /** Whether something is known to have changed on the disk that is not in the index yet. */
  readonly stale: boolean;
}

/** How the index is kept in step with the disk. */
export interface IndexHealth {
  /** Changes that are known of and not in the index yet. */
  readonly pending: number;
  /** How changes are noticed: `none` when they are not; `shared` when another server on the vault tells of them. */
  readonly watcher: "none" | "polling" | "chokidar" | "folders" | "shared";
}

/** Told now and then how many of the found files are in the index. */
export type ProgressReport = (indexed: number, found: number) => void;

export interface IndexChange {
  /** Paths of documents that came, changed or went. */
  readonly paths: readonly string[];
  /** Whether any came or went. */
  readonly listChanged: boolean;
}

/**
 * What is known of the documents without opening them, kept in step with the disk. Nothing is scanned before the
 * first use; no method blocks while the disk is read.
 */
export interface DocumentIndex {
  /**
   * Waits until there is an index of the whole vault, be it of an earlier run and `stale`; until `maxMs` after the first
   * use at most, so that only the first callers wait while a vault is read for the first time.
   *
   * @throws VaultError VAULT_UNREADABLE when the vault cannot be read.
   */
  ready(maxMs: number, signal: AbortSignal, report?: ProgressReport): Promise<IndexProgress>;
  /** Waits until what changed on the disk before this call is in the index; false when `maxMs` did not suffice. */
  settle(maxMs: number, signal: AbortSignal, report?: ProgressReport): Promise<boolean>;
  /**
   * Takes in what was just written at these paths, files or folders, and waits for that, `maxMs` at most; false when
   * it did not suffice, as while the first index is being built.
   */
  refresh(paths: readonly string[], maxMs: number, signal: AbortSignal): Promise<boolean>;
  /** @throws VaultError INVALID_CURSOR, and what a pattern's evaluation throws. */
  list(request: ListRequest): Promise<ListPage>;
  /** Paths that were perhaps meant by one that is not there; only those in some folders, where these are given. */
  nearestPaths(path: string, most: number, within?: FolderScope): Promise<readonly string[]>;
  health(): IndexHealth;
  /** Tells of changes until the returned function is called. */
  subscribe(listener: (change: IndexChange) => void): () => void;
  close(): Promise<void>;
}
