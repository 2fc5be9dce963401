import type { Listing } from "./listing.ts";

export interface KeptListingsOptions {
  /** Milliseconds that a listing is kept after its last use. */
  readonly keepMs: number;
  readonly maxListings: number;
  /** Entries that a listing keeps; the others of its directory are counted. */
  readonly maxEntries: number;
  readonly now: () => number;
  /** A name for a listing that none had before, also not in an earlier process. */
  readonly newId: () => string;
}

interface Kept {
  readonly query: string;
  readonly listing: Listing;
  usedAt: number;
}

/** Listings kept for a while, so that the pages of one walk come from one reading of the directory. */
export class KeptListings {
  readonly #options: KeptListingsOptions;
  readonly #kept = new Map<string, Kept>();

  constructor(options: KeptListingsOptions) {
    this.#options = options;
  }

  get maxEntries(): number {
    return this.#options.maxEntries;
  }

  /** Keeps a listing that answers `query`, in place of `replaces` where that is given; the oldest ones make room. */
  put(query: string, listing: Listing, replaces?: string): string {
    this.#dropExpired();
    if (replaces !== undefined) this.#kept.delete(replaces);
    const id = this.#options.newId();
    this.#kept.set(id, { query, listing, usedAt: this.#options.now() });
    while (this.#kept.size > this.#options.maxListings) {
      const [oldest] = this.#kept.keys();
      this.#kept.delete(oldest as string);
    }
    return id;
  }

  /** The listing of that name, where it is still kept and answers the same query. */
  get(id: string, query: string): Listing | undefined {
    this.#dropExpired();
    const kept = this.#kept.get(id);
    if (kept === undefined || kept.query !== query) return undefined;
    kept.usedAt = this.#options.now();
    this.#kept.delete(id);
    this.#kept.set(id, kept);
    return kept.listing;
  }

  #dropExpired(): void {
    const { keepMs, now } = this.#options;
    for (const [id, kept] of this.#kept) {
      if (now() - kept.usedAt > keepMs) this.#kept.delete(id);
    }
  }
}
