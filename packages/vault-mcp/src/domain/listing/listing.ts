import type { Document, NoteDocument } from "../document.ts";
import type { OkfFacts } from "../okf.ts";
import type { FolderScope } from "../restrict/folder-scope.ts";
import type { Condition } from "./filters.ts";
import type { SortOrder, SortPosition } from "./sort-order.ts";

/** Which documents a listing holds, and in which order. */
export interface ListQuery {
  /** Vault-relative; empty for the root level alone; undefined for everything. */
  readonly folder: string | undefined;
  readonly conditions: readonly Condition[];
  readonly pattern: string | undefined;
  /** All of them. */
  readonly tags: readonly string[];
  /** Milliseconds since 1970: from this instant on, and before that one. */
  readonly modifiedFrom: number | undefined;
  readonly modifiedBefore: number | undefined;
  readonly includeAttachments: boolean;
  readonly order: SortOrder;
  /** Folders outside of which the caller may see nothing; undefined where everything may be seen. */
  readonly within?: FolderScope | undefined;
}

/** The conditions that select all documents. */
export const everything = {
  folder: undefined,
  conditions: [],
  pattern: undefined,
  tags: [],
  modifiedFrom: undefined,
  modifiedBefore: undefined,
  includeAttachments: true,
} as const satisfies Omit<ListQuery, "order">;

/** What a walk by a key that can change keeps from its first page. */
export interface ListWalk {
  /** Tells one life of the index from another. */
  readonly epoch: string;
  readonly generation: number;
}

export interface ListRequest {
  readonly query: ListQuery;
  /** The position to continue after. */
  readonly after: SortPosition | undefined;
  /** Undefined on a first page, and where the order is by path. */
  readonly walk: ListWalk | undefined;
  readonly limit: number;
}

export interface ListedDocument {
  readonly document: Document;
  readonly position: SortPosition;
  /** Where the vault is a bundle, of notes. */
  readonly okf: OkfFacts | undefined;
}

/**
 * Something in a query that nothing in the vault answers to, with what was perhaps meant: `together` where a key has each
 * of some values but never all, `attachments` where only those lie in the place that was asked for, `root` where nothing
 * lies at the root level.
 */
export type ListHint =
  | { readonly kind: "attachments" | "root" }
  | { readonly kind: "together"; readonly key: string }
  | { readonly kind: "folder"; readonly name: string; readonly nearest: readonly string[] }
  | { readonly kind: "key"; readonly name: string; readonly nearest: readonly string[] }
  | { readonly kind: "pattern"; readonly name: string; readonly nearest: readonly string[] }
  | { readonly kind: "tag"; readonly name: string; readonly nearest: readonly string[] }
  | {
      readonly kind: "value";
      readonly key: string;
      readonly name: string;
      readonly nearest: readonly string[];
      /** Whether these are all values that there are. */
      readonly complete: boolean;
    };

export interface ListPage {
  readonly documents: readonly ListedDocument[];
  readonly more: boolean;
  /** Documents of the query, exactly. */
  readonly total: number;
  readonly walk: ListWalk;
  /** Whether anything changed since the first page of this walk; what did is left out of the later pages. */
  readonly changedSince: boolean;
  readonly hints: readonly ListHint[];
}

/** Whether filters apply: not to notes whose frontmatter cannot be read. */
export function isFilterable(document: Document): document is NoteDocument {
  return document.kind === "note" && document.parseError === undefined;
}
