import type { Document } from "../../domain/document.ts";
import { nameOf } from "../../domain/note.ts";
import { okfFacts } from "../../domain/okf.ts";
import type { Term } from "../../domain/search/parse-search.ts";
import { foldForSearch } from "../../domain/search/words.ts";
import type { IdSet, IndexSnapshot } from "./index-snapshot.ts";
import { matchExpression } from "./match-expression.ts";
import { documentOfRow } from "./schema.ts";

/** A document that answers a search; a higher score is better. */
export interface Ranked {
  readonly id: number;
  readonly score: number;
}

/** What a word in a title, in headings, in tags and in the body counts. */
const weights = "10.0, 4.0, 4.0, 1.0";

const ofRow = documentOfRow.replace("id", "rowid");

/** The documents whose rows match an expression, the best first; of a document in several rows the best row counts. */
function rankRows({ reader }: IndexSnapshot, expression: string, allowed: IdSet): Ranked[] {
  const found = reader.get<{ ids: string; scores: string }>(
    // As a plain subquery it would be merged into the outer one, where bm25 is not allowed.
    `WITH found AS MATERIALIZED (
       SELECT ${ofRow} AS document, bm25(search, ${weights}) AS score FROM search WHERE search MATCH ?
     )
     SELECT json_group_array(document) AS ids, json_group_array(score) AS scores FROM found`,
    [expression],
  );
  const ids: number[] = JSON.parse(found?.ids ?? "[]");
  const scores: number[] = JSON.parse(found?.scores ?? "[]");
  const best = new Map<number, number>();
  for (const [index, id] of ids.entries()) {
    const score = -(scores[index] ?? 0);
    if (allowed[id] === 1 && score > (best.get(id) ?? Number.NEGATIVE_INFINITY)) best.set(id, score);
  }
  return [...best].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score || a.id - b.id);
}

/** The documents that have rows that match. */
function matching({ reader }: IndexSnapshot, expression: string): Set<number> {
  const found = reader.get<{ ids: string }>(
    `SELECT json_group_array(${ofRow}) AS ids FROM search WHERE search MATCH ?`,
    [expression],
  );
  return new Set(JSON.parse(found?.ids ?? "[]"));
}

/**
 * The documents that have all terms, or any, the best first.
 *
 * @param long documents in several rows, whose terms may be in different ones.
 */
export function rankTerms(
  snapshot: IndexSnapshot,
  terms: readonly Term[],
  mode: { readonly join: "AND" | "OR"; readonly prefixes: boolean; readonly long: ReadonlySet<number> },
  allowed: IdSet,
): Ranked[] {
  const { join, prefixes, long } = mode;
  const ranked = rankRows(snapshot, matchExpression(terms, join, prefixes), allowed);
  if (join === "OR" || terms.length === 1 || long.size === 0) return ranked;
  const known = new Set(ranked.map(({ id }) => id));
  const sets = terms.map((term) => matching(snapshot, matchExpression([term], join, prefixes)));
  const spread = [...long].filter((id) => !known.has(id) && sets.every((set) => set.has(id)));
  if (spread.length === 0) return ranked;
  const isSpread = new Set(spread);
  const scores = rankRows(snapshot, matchExpression(terms, "OR", prefixes), allowed);
  return [...ranked, ...scores.filter(({ id }) => isSpread.has(id))].sort(
    (a, b) => b.score - a.score || a.id - b.id,
  );
}

/** The documents that a search leaves out. */
export function withoutTerms(snapshot: IndexSnapshot, terms: readonly Term[], allowed: IdSet): IdSet {
  if (terms.length === 0) return allowed;
  const left = Uint8Array.from(allowed);
  for (const id of matching(snapshot, matchExpression(terms, "OR", false))) left[id] = 0;
  return left;
}

/** Files of a bundle that are about the others. */
const reservedNames = ["index.md", "log.md"];

/** In a bundle, what is deprecated, stale or only an index counts less. */
export function weighBundle(
  ranked: readonly Ranked[],
  documents: ReadonlyMap<number, Document>,
  now: Date,
): Ranked[] {
  const weighed = ranked.map(({ id, score }) => {
    const document = documents.get(id);
    if (document?.kind !== "note") return { id, score };
    const { status, stale } = okfFacts(document.frontmatter, now);
    const factor =
      (foldForSearch(status) === "deprecated" ? 0.5 : 1) *
      (stale ? 0.75 : 1) *
      (reservedNames.includes(nameOf(document.path).toLowerCase()) ? 0.5 : 1);
    return { id, score: score * factor };
  });
  // Equal ones stay in their order.
  return weighed.sort((a, b) => b.score - a.score);
}
