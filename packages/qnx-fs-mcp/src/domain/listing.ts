import type { Entry } from "./entry.ts";
import { comparePositions, type Position, positionOf, type SortKey, type SortOrder } from "./order.ts";
import type { RawName } from "./raw-name.ts";

export interface ListingOptions {
  readonly sort: SortKey;
  readonly order: SortOrder;
  /** Entries up to and with this position are counted and not kept. */
  readonly after: Position | undefined;
  /** How many entries to keep: the first ones after `after`. */
  readonly keep: number;
}

/** A directory as it was read: the first entries in order, and counts of all. */
export interface Listing {
  readonly entries: readonly Entry[];
  readonly after: Position | undefined;
  /** Whether `entries` are all that follow `after`. */
  readonly complete: boolean;
  /** Entries that match, each name once. */
  readonly total: number;
  /** Entries whatever they are, each name once. */
  readonly inDirectory: number;
  /** Names that were sent more than once; the first of each is listed. */
  readonly duplicates: ReadonlySet<RawName>;
}

/**
 * Sorts entries as they come and keeps the first ones. Beyond twice as many names as are kept it no longer
 * recognises repeated names, so that memory stays bounded.
 */
export class ListingBuilder {
  readonly #options: ListingOptions;
  readonly #comparePositions: (a: Position, b: Position) => number;
  readonly #compare: (a: Entry, b: Entry) => number;
  readonly #seen = new Set<RawName>();
  readonly #duplicates = new Set<RawName>();
  #kept: Entry[] = [];
  #last: Entry | undefined;
  #complete = true;
  #total = 0;
  #inDirectory = 0;

  constructor(options: ListingOptions) {
    this.#options = options;
    const compare = comparePositions(options.order);
    this.#comparePositions = compare;
    this.#compare = (a, b) => compare(positionOf(a, options.sort), positionOf(b, options.sort));
  }

  /** `wanted`: whether the entry passes the filters; the others are only counted. */
  add(entry: Entry, wanted: boolean): void {
    const { after, keep, sort } = this.#options;
    if (this.#seen.has(entry.name)) {
      this.#duplicates.add(entry.name);
      return;
    }
    if (this.#seen.size < 2 * keep) this.#seen.add(entry.name);
    this.#inDirectory++;
    if (!wanted) return;
    this.#total++;
    if (after !== undefined && this.#comparePositions(positionOf(entry, sort), after) <= 0) return;
    if (this.#last !== undefined && this.#compare(entry, this.#last) > 0) {
      this.#complete = false;
      return;
    }
    this.#kept.push(entry);
    if (this.#kept.length >= 2 * keep) this.#cut();
  }

  finish(): Listing {
    this.#cut();
    return {
      entries: this.#kept,
      after: this.#options.after,
      complete: this.#complete,
      total: this.#total,
      inDirectory: this.#inDirectory,
      duplicates: this.#duplicates,
    };
  }

  #cut(): void {
    const { keep } = this.#options;
    this.#kept.sort(this.#compare);
    if (this.#kept.length <= keep) return;
    this.#kept = this.#kept.slice(0, keep);
    this.#last = this.#kept.at(-1);
    this.#complete = false;
  }
}

/** The index of the first entry after a position. */
export function indexAfter(
  entries: readonly Entry[],
  position: Position | undefined,
  { sort, order }: { readonly sort: SortKey; readonly order: SortOrder },
): number {
  if (position === undefined) return 0;
  const compare = comparePositions(order);
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(positionOf(entries[middle] as Entry, sort), position) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
