import type { FileRecord, Usage } from "./file-record.ts";

/** Which files a listing is about; every condition must hold. */
export interface ListFilter {
  /** Paths that start with it, as text. */
  readonly prefix?: string | undefined;
  /** A glob on the path. */
  readonly pattern?: string | undefined;
  readonly mime?: { readonly exact: string } | { readonly prefix: string } | undefined;
  /** Milliseconds since 1970; strictly after. */
  readonly updatedAfter?: number | undefined;
}

export type SortKey = "path" | "size" | "updated";
export type SortOrder = "asc" | "desc";

/** How a listing is shown. */
export type ListView =
  | {
      readonly kind: "files";
      readonly sort: SortKey;
      readonly order: SortOrder;
      /** One level below the prefix: folders rolled up first, then the files that lie there. */
      readonly folders: boolean;
    }
  | {
      /** What changed after a files_version, in order of change, deletions too. */
      readonly kind: "changes";
      readonly since: number;
    };

/**
 * Where a page ends: folders come before files; `rank` is the size or the files_version by which the listing is
 * sorted, 0 for a listing by path. (Files are in the order of their times when they are in that of their changes.)
 */
export interface ListPosition {
  readonly group: "folder" | "file";
  readonly rank: number;
  readonly path: string;
}

export interface ListQuery {
  readonly app: string;
  readonly filter: ListFilter;
  readonly view: ListView;
  readonly after?: ListPosition | undefined;
  /** The files_version of the walk's first page; what changed later is left out of walks by a key that can change. */
  readonly generation?: number | undefined;
  readonly limit: number;
}

export type ListEntry =
  | { readonly kind: "file"; readonly file: FileRecord }
  /** `path` ends with a slash. */
  | { readonly kind: "folder"; readonly path: string; readonly count: number; readonly bytes: number }
  | {
      readonly kind: "deletion";
      readonly path: string;
      readonly version: number;
      readonly deletedAt: number;
    };

/** One page, read in one transaction. */
export interface Listing {
  readonly entries: readonly { readonly entry: ListEntry; readonly position: ListPosition }[];
  readonly more: boolean;
  /** Matches of the query on all pages. */
  readonly total: number;
  readonly usage: Usage;
  /** The app's files_version now. */
  readonly filesVersion: number;
  /** Files that changed since `generation`, which the walk leaves out; 0 where it leaves out none. */
  readonly changedSince: number;
  /** The apps with the nearest names, when the store has no app of this name. */
  readonly nearestApps?: readonly string[] | undefined;
}

/** Whether a walk leaves out what changed after its first page, since its key can change. */
export function leavesOutChanges(view: ListView): boolean {
  return view.kind === "changes" || view.sort !== "path";
}
