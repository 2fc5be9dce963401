import { hasCode } from "./errors.ts";
import type { TextQuery } from "./find-text.ts";
import type { ListFilter, ListPosition } from "./listing.ts";
import { searchContent, type TextHit } from "./search-content.ts";
import type { CallOptions, FileStore } from "./store.ts";

/** Where a search goes on: in this file from that byte; null: behind the file. */
export interface SearchPosition {
  readonly path: string;
  readonly offset: number | null;
}

export interface SearchQuery {
  readonly app: string;
  readonly text: TextQuery;
  readonly filter: Pick<ListFilter, "prefix" | "pattern">;
  readonly after?: SearchPosition | undefined;
  readonly limit: number;
}

/** What one page of a search may cost. */
export interface SearchBudget {
  readonly bytes: number;
  readonly ms: number;
  /** Milliseconds, from anywhere. */
  readonly now: () => number;
}

export interface FileHit extends TextHit {
  readonly path: string;
  readonly version: number;
  /** Files that were skipped before it, as they are no text. */
  readonly skipped: number;
}

/** A page of hits by path and place. */
export interface SearchPage {
  readonly hits: readonly FileHit[];
  /** Where the page ended; undefined at the end of all. */
  readonly end: SearchPosition | undefined;
  /** Whether it ended on its budget, perhaps without any hit. */
  readonly isExhausted: boolean;
  /** Files that were skipped, as they are no text. */
  readonly skipped: number;
  /** Files in which damaged bytes were met. */
  readonly damaged: readonly string[];
  /** As in a `Listing`. */
  readonly nearestApps: readonly string[] | undefined;
}

/** Files that are looked up at once. */
const filesInStep = 200;

/** @throws AppFilesError INVALID_ARGUMENT, PATTERN_TOO_COSTLY (both for the pattern) */
export async function searchFiles(
  query: SearchQuery,
  store: FileStore,
  budget: SearchBudget,
  options: CallOptions = {},
): Promise<SearchPage> {
  const search = { hits: [] as FileHit[], skipped: 0, damaged: [] as string[], bytes: 0 };
  const until = budget.now() + budget.ms;
  const isExhausted = () => search.bytes >= budget.bytes || budget.now() >= until;
  let nearestApps: readonly string[] | undefined;
  const pageUntil = (end: SearchPosition | undefined, exhausted = false): SearchPage => {
    const { skipped, damaged } = search;
    return {
      hits: search.hits.slice(0, query.limit),
      end,
      isExhausted: exhausted,
      skipped,
      damaged,
      nearestApps,
    };
  };

  /** Where the search must stop inside this file; undefined when the file is done. */
  async function searchFile({ path, offset }: { path: string; offset: number }) {
    try {
      const content = await store.open(query.app, path, undefined, options);
      if (!content.facts.isText) {
        search.skipped += 1;
        return undefined;
      }
      let place = offset;
      for await (const step of searchContent(content, query.text, offset)) {
        options.signal?.throwIfAborted();
        const reached = "hit" in step ? step.hit.next : step.searchedTo;
        if ("hit" in step) {
          const { version } = content.record;
          search.hits.push({ ...step.hit, path, version, skipped: search.skipped });
          if (search.hits.length > query.limit) return { path, offset: place };
        }
        search.bytes += reached - place;
        place = reached;
        if ("hit" in step) continue;
        if (isExhausted() && place < content.facts.size) return { path, offset: place };
      }
    } catch (error) {
      // What is deleted meanwhile has no hits; what is damaged keeps nobody from the others.
      if (hasCode(error, "CORRUPT")) search.damaged.push(path);
      else if (!hasCode(error, "NOT_FOUND")) throw error;
    }
    return undefined;
  }

  let last = query.after;
  if (last !== undefined && last.offset !== null) {
    const stopped = await searchFile({ path: last.path, offset: last.offset });
    if (stopped !== undefined) return pageUntil(stopped, search.hits.length <= query.limit);
    last = { path: last.path, offset: null };
  }
  for (let more = true; more; ) {
    const after: ListPosition | undefined = last && { group: "file", rank: 0, path: last.path };
    const view = { kind: "files", sort: "path", order: "asc", folders: false } as const;
    const { app, filter } = query;
    const listing = await store.list({ app, filter, view, after, limit: filesInStep }, options);
    nearestApps ??= listing.nearestApps;
    for (const { position } of listing.entries) {
      const stopped = await searchFile({ path: position.path, offset: 0 });
      if (stopped !== undefined) return pageUntil(stopped, search.hits.length <= query.limit);
      last = { path: position.path, offset: null };
      if (isExhausted()) return pageUntil(last, true);
    }
    more = listing.more;
  }
  return pageUntil(undefined);
}
