import type { Document } from "../document.ts";
import type { ListQuery, ListWalk } from "../listing/listing.ts";
import type { OkfFacts } from "../okf.ts";
import type { SearchTerms } from "./parse-search.ts";

/** What of a listing's query selects the notes that are searched. */
export type SearchScope = Omit<ListQuery, "order">;

/** What is looked for: words, or a text as it stands. */
export type SearchWanted =
  | { readonly kind: "words"; readonly terms: SearchTerms }
  | { readonly kind: "literal"; readonly text: string };

export interface SearchRequest {
  readonly scope: SearchScope;
  readonly wanted: SearchWanted;
  /** The id of the hit to continue after. */
  readonly after: number | undefined;
  /** Undefined on a first page. */
  readonly walk: ListWalk | undefined;
  readonly limit: number;
}

/** What had to be done to find anything: all words, words that begin so, any of them; or the text as it stands. */
export type SearchStage = "all" | "prefixes" | "any" | "literal";

export interface SearchHit {
  readonly id: number;
  readonly document: Document;
  /** Higher is better; comparable within one search. */
  readonly score: number;
  /** Where the vault is a bundle. */
  readonly okf: OkfFacts | undefined;
}

export interface SearchPage {
  readonly hits: readonly SearchHit[];
  readonly more: boolean;
  /** Hits of all pages, 200 at most. */
  readonly total: number;
  /** Whether more notes answer than the best 200. */
  readonly beyond: boolean;
  readonly stage: SearchStage;
  readonly walk: ListWalk;
  /** Whether anything changed since the first page of this walk; what did is left out of the later pages. */
  readonly changedSince: boolean;
}

/** More hits are not ranked. */
export const mostHits = 200;

/** Finds notes by what is written in them. */
export interface VaultSearch {
  /** @throws VaultError INVALID_CURSOR, and what a pattern's evaluation throws. */
  search(request: SearchRequest, signal: AbortSignal): Promise<SearchPage>;
  /** Words of the notes that are spelled much like some that no note has. */
  similarWords(words: readonly string[]): Promise<readonly string[]>;
}
