import type { Reader } from "@mcp-file-servers/sqlite";
import type { Document } from "../../../domain/document.ts";
import type { ListQuery } from "../../../domain/listing/listing.ts";
import type { FolderScope } from "../../../domain/restrict/folder-scope.ts";

/** Documents by id: 1 for each that belongs to the set; ids beyond the end do not. */
export type IdSet = Uint8Array;

/** What of a query selects documents, without their order. */
export type Conditions = Omit<ListQuery, "order">;

/** The index at one moment; not to be used after the `work` that it was given to. */
export interface IndexSnapshot {
  /** The tables, see schema.ts. */
  readonly reader: Reader;
  /** Grows with every change of documents. */
  readonly generation: number;
  /** Tells one index from another that was made later in its place. */
  readonly epoch: string;
  /** Whether the vault is an active OKF bundle. */
  readonly isBundle: boolean;
  /** The folders outside of which nothing may be seen; undefined where everything may. `select` keeps to them. */
  readonly within?: FolderScope;
  /**
   * The documents that all conditions select. Do not change the set: it is kept for the next time.
   *
   * @throws VaultError INVALID_ARGUMENT for a text that is no pattern, PATTERN_TOO_COSTLY.
   */
  select(conditions: Conditions): IdSet;
  /** The documents of some ids, in their order; those that are not there are left out. */
  documents(ids: readonly number[]): Document[];
}

/** The index as those who answer from it see it. */
export interface IndexConnection {
  /** Runs `work`, which must not wait, on one snapshot. It may run more than once. */
  read<Result>(work: (snapshot: IndexSnapshot) => Result): Promise<Result>;
}
