import type { Term } from "./parse-search.ts";
import { foldForSearch, type Word, wordsOf } from "./words.ts";

/** Where a term stands in a text, in UTF-16 units. */
export interface FoundTerm {
  /** Index of the term. */
  readonly term: number;
  readonly start: number;
  readonly end: number;
}

/** What is looked for: terms, of which words that begin so may count as well, or a text as it stands. */
export type Wanted =
  | { readonly kind: "terms"; readonly terms: readonly Term[]; readonly prefixes: boolean }
  | { readonly kind: "literal"; readonly text: string };

/** More places of a note tell no more about it. */
const mostFound = 2_000;

/** The places of what is looked for, from `from` on, in the order of the text. */
export function findWanted(text: string, from: number, wanted: Wanted): FoundTerm[] {
  return wanted.kind === "terms" ? findTerms(text, from, wanted) : findLiteral(text, from, wanted.text);
}

function findTerms(
  text: string,
  from: number,
  { terms, prefixes }: Extract<Wanted, { kind: "terms" }>,
): FoundTerm[] {
  const found: FoundTerm[] = [];
  const longest = Math.max(...terms.map(({ words }) => words.length));
  const window: Word[] = [];
  const look = () => {
    for (const [index, term] of terms.entries()) {
      const last = matchAt(window, term, prefixes);
      if (last !== undefined)
        found.push({ term: index, start: (window[0]?.start ?? 0) + from, end: last + from });
    }
    window.shift();
  };
  for (const word of wordsOf(text.slice(from))) {
    window.push(word);
    if (window.length === longest) look();
    if (found.length >= mostFound) return found;
  }
  while (window.length > 0) look();
  return found;
}

/** Where a term ends that begins with the first of some words. */
function matchAt(words: readonly Word[], term: Term, prefixes: boolean): number | undefined {
  const last = term.words.length - 1;
  for (const [index, wanted] of term.words.entries()) {
    const word = words[index]?.word;
    if (word === undefined) return undefined;
    if (word !== wanted && !(index === last && begins(word, term, wanted, prefixes))) return undefined;
  }
  return words[last]?.end;
}

function begins(word: string, { open, start }: Term, wanted: string, prefixes: boolean): boolean {
  return (open && word.startsWith(wanted)) || (prefixes && start !== undefined && word.startsWith(start));
}

/** Case and accents do not matter, everything else does. */
function findLiteral(text: string, from: number, literal: string): FoundTerm[] {
  const wanted = foldForSearch(literal);
  if (wanted === "") return [];
  const { folded, place } = foldWithPlaces(text.slice(from));
  const found: FoundTerm[] = [];
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length)) {
    found.push({ term: 0, start: from + place(at), end: from + place(at + wanted.length) });
    if (found.length >= mostFound) break;
  }
  return found;
}

/** A folded text, and where a place of it stands in the text itself. */
function foldWithPlaces(text: string): { readonly folded: string; place(at: number): number } {
  const folded = foldForSearch(text);
  // Folding seldom changes the length; only then the places are counted piece by piece.
  if (folded.length === text.length) return { folded, place: (at) => at };
  const starts: number[] = [];
  const ends: number[] = [];
  let pieces = "";
  for (const { 0: cluster, index } of text.matchAll(/\P{M}\p{M}*|\p{M}+/gsu)) {
    const piece = foldForSearch(cluster);
    for (let unit = 0; unit < piece.length; unit += 1) {
      starts.push(index);
      ends.push(index + cluster.length);
    }
    pieces += piece;
  }
  return { folded: pieces, place: (at) => starts[at] ?? ends.at(-1) ?? 0 };
}
