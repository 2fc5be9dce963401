import type { Term } from "../../../domain/search/parse-search.ts";

/** What is asked of the rows. */
export interface MatchMode {
  readonly join: "AND" | "OR";
  /** Whether words that begin so count. */
  readonly prefixes: boolean;
}

/** Words are letters, digits and symbols; nothing in them has a meaning to FTS5 inside quotes. */
function quoted({ words, open, start }: Term, prefixes: boolean): string {
  const begun = prefixes && start !== undefined ? [...words.slice(0, -1), start] : words;
  return `"${begun.join(" ").replaceAll('"', "")}"${begun !== words || open ? " *" : ""}`;
}

/**
 * The FTS5 expression for rows that have all of some terms, or any.
 *
 * @param spare terms that need not be there, and count where they are.
 */
export function matchExpression(
  terms: readonly Term[],
  { join, prefixes }: MatchMode,
  spare: readonly Term[] = [],
): string {
  const phrases = terms.map((term) => quoted(term, prefixes));
  const needed = phrases.join(` ${join} `);
  if (spare.length === 0) return needed;
  // Once more, each with the same weight, so that the second part holds wherever the first does.
  const counted = [...phrases, ...spare.map((term) => quoted(term, false))];
  return `(${needed}) AND (${counted.join(" OR ")})`;
}
