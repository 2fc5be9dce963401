import type { Document } from "../../../domain/document.ts";
import { nameOf } from "../../../domain/note/note.ts";
import { okfFacts, reservedNames } from "../../../domain/okf.ts";
import type { Term } from "../../../domain/search/parse-search.ts";
import { foldForSearch } from "../../../domain/search/words.ts";
import { documentOfSearchRow } from "../schema.ts";
import { fewIds } from "./id-set.ts";
import type { IdSet, IndexSnapshot } from "./index-snapshot.ts";
import { type MatchMode, matchExpression } from "./match-expression.ts";

/** A document that answers a search; a higher score is better. */
export interface Ranked {
  readonly id: number;
  readonly score: number;
}

/** What a word in a title, in headings, in tags and in the body counts. */
const weights = "10.0, 4.0, 4.0, 1.0";

/** The documents whose rows match an expression, with their scores; of a document in several rows the best row counts. */
function scoreRows({ reader }: IndexSnapshot, expression: string, allowed: IdSet): Map<number, number> {
  // Scores are what takes the time: where few may be seen, only those get one.
  const few = fewIds(allowed, allowed.length / 4);
  const found = reader.get<{ ids: string; scores: string }>(
    // As a plain subquery it would be merged into the outer one, where bm25 is not allowed.
    `WITH found AS MATERIALIZED (
       SELECT ${documentOfSearchRow} AS document, bm25(search, ${weights}) AS score FROM search WHERE search MATCH ?
         ${few === undefined ? "" : `AND (${documentOfSearchRow}) IN (SELECT value FROM json_each(?))`}
     )
     SELECT json_group_array(document) AS ids, json_group_array(score) AS scores FROM found`,
    few === undefined ? [expression] : [expression, JSON.stringify(few)],
  );
  const ids: number[] = JSON.parse(found?.ids ?? "[]");
  const scores: number[] = JSON.parse(found?.scores ?? "[]");
  const best = new Map<number, number>();
  for (const [index, id] of ids.entries()) {
    const score = -(scores[index] ?? 0);
    if (allowed[id] === 1 && score > (best.get(id) ?? Number.NEGATIVE_INFINITY)) best.set(id, score);
  }
  return best;
}

/** The documents that have rows that match. */
function matching({ reader }: IndexSnapshot, expression: string): Set<number> {
  const found = reader.get<{ ids: string }>(
    `SELECT json_group_array(${documentOfSearchRow}) AS ids FROM search WHERE search MATCH ?`,
    [expression],
  );
  return new Set(JSON.parse(found?.ids ?? "[]"));
}

/** The best of some documents, and how many there are. */
export interface Ranking {
  /** The best first; `most` of them at most. */
  readonly best: readonly Ranked[];
  readonly total: number;
}

/** Which documents answer: those that have all terms, or any. */
export interface RankMode extends MatchMode {
  /** Terms that need not be there, and count where they are. */
  readonly spare: readonly Term[];
  /** Documents in several rows, whose terms may be in different ones. */
  readonly long: ReadonlySet<number>;
}

export function rankTerms(
  snapshot: IndexSnapshot,
  terms: readonly Term[],
  mode: RankMode,
  allowed: IdSet,
  most: number,
): Ranking {
  const { join, spare, long } = mode;
  const scores = scoreRows(snapshot, matchExpression(terms, mode, spare), allowed);
  if (join === "AND" && terms.length > 1 && long.size > 0) {
    const sets = terms.map((term) => matching(snapshot, matchExpression([term], mode)));
    const spread = [...long].filter((id) => !scores.has(id) && sets.every((set) => set.has(id)));
    const any = { ...mode, join: "OR" } as const;
    const byAny =
      spread.length === 0 ? scores : scoreRows(snapshot, matchExpression(terms, any, spare), allowed);
    for (const id of spread) {
      const score = byAny.get(id);
      if (score !== undefined) scores.set(id, score);
    }
  }
  return { best: bestOf(scores, most), total: scores.size };
}

/** To sort all of them would take longer than to find the score that the last one has. */
function bestOf(scores: ReadonlyMap<number, number>, most: number): Ranked[] {
  const least = Float64Array.from(scores.values()).sort().at(-most) ?? Number.NEGATIVE_INFINITY;
  const ranked: Ranked[] = [];
  for (const [id, score] of scores) if (score >= least) ranked.push({ id, score });
  return ranked.sort((a, b) => b.score - a.score || a.id - b.id).slice(0, most);
}

/** The documents that a search leaves out. */
export function withoutTerms(snapshot: IndexSnapshot, terms: readonly Term[], allowed: IdSet): IdSet {
  if (terms.length === 0) return allowed;
  const left = Uint8Array.from(allowed);
  for (const id of matching(snapshot, matchExpression(terms, { join: "OR", prefixes: false }))) left[id] = 0;
  return left;
}

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
