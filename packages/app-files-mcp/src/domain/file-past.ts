import type { Action, Usage } from "./file-record.ts";

/** One change of a path that is kept. */
export interface HistoryEntry {
  readonly version: number;
  /** The app's files_version after it. */
  readonly filesVersion: number;
  readonly action: Action;
  /** Whether the file was gone after it: a deletion, or a move to another path. */
  readonly isDeletion: boolean;
  readonly isCurrent: boolean;
  /** Bytes; 0 for a deletion. */
  readonly size: number;
  readonly mime: string;
  /** Lower-case hex; undefined for a deletion. */
  readonly sha256: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly client: string;
}

export interface HistoryQuery {
  readonly app: string;
  readonly path: string;
  /** Only changes before this files_version. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** A page of a path's history, the newest first. */
export interface HistoryPage {
  readonly entries: readonly HistoryEntry[];
  readonly more: boolean;
  readonly total: number;
}

/** An app that has files. */
export interface AppSummary {
  readonly app: string;
  readonly usage: Usage;
  readonly filesVersion: number;
  /** When it was last changed; milliseconds since 1970. */
  readonly updatedAt: number;
}

export interface AppsQuery {
  readonly allows: (app: string) => boolean;
  readonly prefix: string;
  /** The app after which the page begins. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** A page of apps by name. */
export interface AppsPage {
  readonly apps: readonly AppSummary[];
  readonly more: boolean;
  readonly total: number;
}
