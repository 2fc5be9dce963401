import type { DocumentIndex, IndexProgress, ProgressReport } from "../document-index.ts";
import { VaultError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { hintText } from "../listing/list-note.ts";
import { parseListQuery } from "../listing/list-query.ts";
import type { ListQuery, ListWalk } from "../listing/listing.ts";
import { decodeText } from "../note/decode.ts";
import { findFrontmatter } from "../note/frontmatter.ts";
import type { VaultPlace } from "../vault-path.ts";
import type { VaultReader } from "../vault-reader.ts";
import type { Visibility } from "../visibility.ts";
import { type FoundSection, findSections } from "./find-sections.ts";
import type { Wanted } from "./find-terms.ts";
import { loosen, parseSearch } from "./parse-search.ts";
import { searchNote } from "./search-note.ts";
import type { SearchHit, SearchPage, SearchWanted, VaultSearch } from "./vault-search.ts";

export interface SearchLibrary {
  readonly index: DocumentIndex;
  readonly search: VaultSearch;
  readonly reader: VaultReader;
  readonly place: VaultPlace;
  readonly visibility: Visibility;
}

/** What a caller looks for, in its words. */
export interface SearchArguments {
  readonly query: string;
  readonly match: "words" | "literal";
  readonly folder?: string | undefined;
  readonly filters?: JsonObject | undefined;
  readonly pattern?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly limit: number;
  readonly snippet_chars: number;
}

export interface ShownHit {
  readonly hit: SearchHit;
  readonly sections: readonly FoundSection[];
}

export interface SearchAnswer {
  readonly hits: readonly ShownHit[];
  readonly page: SearchPage;
  readonly progress: IndexProgress;
  readonly note: string | undefined;
}

export interface SearchPosition {
  readonly after: number | undefined;
  readonly walk: ListWalk | undefined;
}

const firstIndexMs = 5_000;

/** Of longer files no sections are shown: finding them would hold everybody up. */
const longestShown = 4_000_000;

/** Files that are read at once, so that they take little memory together. */
const readAtOnce = 5;

/**
 * Finds notes and the sections in them that answer.
 *
 * @throws VaultError INVALID_ARGUMENT, PATH_OUTSIDE_VAULT, PATH_HIDDEN, and what the index throws.
 */
export async function searchDocuments(
  args: SearchArguments,
  library: SearchLibrary,
  { after, walk }: SearchPosition,
  signal: AbortSignal,
  report?: ProgressReport,
): Promise<SearchAnswer> {
  const { index, search, place, visibility } = library;
  const { wanted, withoutWords } = readWanted(args);
  const { folder, filters, pattern, tags } = args;
  const listed = { folder, filters, pattern, tags, include_attachments: false, sort: "path" };
  const query = parseListQuery({ ...listed, order: "asc" }, place, visibility);
  const { order: _, ...scope } = query;
  const progress = await index.ready(firstIndexMs, signal, report);
  const page = await search.search({ scope, wanted, after, walk, limit: args.limit }, signal);
  const hits: ShownHit[] = [];
  let unshown = 0;
  for (let start = 0; start < page.hits.length; start += readAtOnce) {
    const some = page.hits.slice(start, start + readAtOnce);
    const found = await Promise.all(
      some.map((hit) => sectionsOf(hit, library, toFind(wanted, page), args.snippet_chars)),
    );
    for (const [at, hit] of some.entries()) {
      if (found[at] === undefined) unshown += 1;
      hits.push({ hit, sections: found[at] ?? [] });
    }
    signal.throwIfAborted();
  }
  const hints = page.total === 0 ? await hintsOf(index, query) : [];
  const isUnfound = page.total === 0 && wanted.kind === "words";
  const similar = isUnfound
    ? await search.similarWords(wanted.terms.wanted.flatMap(({ words }) => words))
    : [];
  const narrowed =
    folder !== undefined || pattern !== undefined || query.conditions.length + query.tags.length > 0;
  const note = searchNote({ page, wanted, withoutWords, similar, narrowed, progress, hints, unshown });
  return { hits, page, progress, note };
}

function readWanted({ query, match }: SearchArguments): { wanted: SearchWanted; withoutWords: boolean } {
  if (query.trim() === "") {
    throw new VaultError("INVALID_ARGUMENT", {
      argument: "query",
      problem: "is empty",
      next: "Call again with words to look for in query, or call list_documents to list notes.",
    });
  }
  if (match === "literal") return { wanted: { kind: "literal", text: query }, withoutWords: false };
  const terms = parseSearch(query);
  return terms.wanted.length > 0
    ? { wanted: { kind: "words", terms }, withoutWords: false }
    : { wanted: { kind: "literal", text: query.trim() }, withoutWords: true };
}

function toFind(wanted: SearchWanted, { stage }: SearchPage): Wanted {
  if (wanted.kind === "literal") return wanted;
  const terms = stage === "any" ? loosen(wanted.terms.wanted) : wanted.terms.wanted;
  return { kind: "terms", terms, prefixes: stage !== "all" };
}

/** The best sections of a hit as it is on the disk now; undefined where it is too long for that. */
async function sectionsOf(
  { document }: SearchHit,
  { reader }: SearchLibrary,
  wanted: Wanted,
  snippetChars: number,
): Promise<FoundSection[] | undefined> {
  const file = await reader.read(document.path, document.path, longestShown).catch((error: unknown) => {
    // A hit that cannot be opened any more is a hit all the same; read_document tells what is wrong with it.
    if (error instanceof VaultError) return undefined;
    throw error;
  });
  if (file === undefined) return [];
  if (file.bytes === undefined) return undefined;
  const { text } = decodeText(file.bytes);
  const bodyStart = findFrontmatter(text)?.bodyStart ?? (text.startsWith("\ufeff") ? 1 : 0);
  return findSections(text, bodyStart, wanted, snippetChars);
}

/** What of the scope nothing in the vault answers to. */
async function hintsOf(index: DocumentIndex, query: ListQuery): Promise<string[]> {
  const { hints } = await index.list({ query, after: undefined, walk: undefined, limit: 1 });
  return hints.map(hintText);
}
