import type { Term } from "../../domain/search/parse-search.ts";

/** Words are letters, digits and symbols; nothing in them has a meaning to FTS5 inside quotes. */
function quoted({ words, open }: Term, prefix: boolean): string {
  return `"${words.join(" ").replaceAll('"', "")}"${prefix || open ? " *" : ""}`;
}

/** The FTS5 expression for rows that have all of some terms, or any. */
export function matchExpression(terms: readonly Term[], join: "AND" | "OR", prefixes: boolean): string {
  return terms.map((term) => quoted(term, prefixes)).join(` ${join} `);
}
