import type { Reader } from "@mcp-file-servers/sqlite";
import type { Document } from "../../../domain/document.ts";
import type { Scalar } from "../../../domain/note/scalar.ts";
import type { Conditions, IdSet, IndexSnapshot } from "./index-snapshot.ts";
import type { KeptResults } from "./kept-results.ts";
import { readDocuments } from "./read-documents.ts";
import { selectIds } from "./select-ids.ts";

/** The counters of an index: what they stand at tells which results still hold. */
export interface IndexCounters {
  readonly generation: number;
  readonly membership: number;
  readonly epoch: string;
}

/** One moment of the index, with results that are kept from before. */
export class IndexView implements IndexSnapshot {
  readonly reader: Reader;
  readonly generation: number;
  readonly membership: number;
  readonly epoch: string;
  readonly isBundle: boolean;
  readonly now: Date;
  readonly #kept: KeptResults;
  /** One more than the largest id. */
  readonly size: number;

  constructor(reader: Reader, counters: IndexCounters, isBundle: boolean, kept: KeptResults, now: Date) {
    this.reader = reader;
    this.generation = counters.generation;
    this.membership = counters.membership;
    this.epoch = counters.epoch;
    this.isBundle = isBundle;
    this.now = now;
    this.#kept = kept;
    this.size = (reader.get<{ id: number | null }>("SELECT max(id) AS id FROM document")?.id ?? 0) + 1;
  }

  select(conditions: Conditions): IdSet {
    // What is stale depends on the hour.
    if (this.isBundle && conditions.conditions.some(({ key }) => key === "stale"))
      return selectIds(this, conditions);
    return this.keep(`select ${JSON.stringify(conditions)}`, () => selectIds(this, conditions));
  }

  documents(ids: readonly number[]): Document[] {
    return readDocuments(this.reader, ids);
  }

  /** A result that holds for this generation. */
  keep<Result extends { readonly byteLength: number }>(name: string, make: () => Result): Result {
    return this.#kept.get(name, this.generation, () => sized(make()));
  }

  /** A result that holds as long as no document comes or goes. */
  keepMembership<Result extends { readonly byteLength: number }>(name: string, make: () => Result): Result {
    return this.#kept.get(name, this.membership, () => sized(make()));
  }

  /** All ids that a statement gives, as one text: a row each would cost several times as much. */
  ids(select: string, parameters: readonly (Scalar | null)[] = []): number[] {
    return this.list<number>(select, "id", parameters);
  }

  /** A column of all rows of a statement. */
  list<Value>(select: string, column: string, parameters: readonly (Scalar | null)[] = []): Value[] {
    const row = this.reader.get<{ list: string }>(
      `SELECT json_group_array(${column}) AS list FROM (${select})`,
      parameters,
    );
    return row === undefined ? [] : JSON.parse(row.list);
  }
}

function sized<Result extends { readonly byteLength: number }>(value: Result) {
  return { value, bytes: value.byteLength + 200 };
}
