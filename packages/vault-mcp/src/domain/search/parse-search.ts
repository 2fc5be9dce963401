import { isFunctionWord } from "./function-words.ts";
import { isUnspaced, wordsOf } from "./words.ts";

/** Something to look for: words that must follow each other. */
export interface Term {
  readonly words: readonly string[];
  /** Whether words that begin with the last one are meant in any case: one character of a script without spaces. */
  readonly open: boolean;
  /** What a word may begin with in place of the last one, once whole words find nothing; undefined where none may. */
  readonly start: string | undefined;
  /** Whether it was typed as a phrase. */
  readonly quoted: boolean;
}

/** A query taken apart. */
export interface SearchTerms {
  readonly wanted: readonly Term[];
  /** Small words of a question, which count where they are and need not be there. */
  readonly spare: readonly Term[];
  readonly unwanted: readonly Term[];
  /** The words with the small ones and without them: perhaps the very name of a note. */
  readonly names: readonly string[];
  /** Words of the query that are not searched, because there are too many. */
  readonly dropped: number;
  /** Parts that hold marks besides their words, such as `C++`: only a literal search minds these. */
  readonly marked: readonly string[];
}

/** More terms would cost more than they tell. */
const mostTerms = 50;

const part = /(?<minus>-?)"(?<quoted>[^"]*)"|(?<plain>\S+)/g;

/**
 * Reads a query: words, `"exact phrases"`, `-without`. Anything else is text: a word with marks in it, such as
 * `file-back`, stands for its words one after the other. A query of small words alone, or of exclusions, is read as
 * words.
 */
export function parseSearch(query: string): SearchTerms {
  const typed: (Term & { readonly isSpare: boolean })[] = [];
  const excluded: Term[] = [];
  const marked: string[] = [];
  for (const { groups = {} } of query.matchAll(part)) {
    const { minus = "", quoted, plain = "" } = groups;
    const isWithout = quoted === undefined ? /^-[^\s-]/.test(plain) : minus !== "";
    const text = quoted ?? (isWithout ? plain.slice(1) : plain);
    const term = readTerm(text, quoted !== undefined);
    if (term === undefined) continue;
    if (isWithout) excluded.push(term);
    else typed.push({ ...term, isSpare: !term.quoted && isFunctionWord(text) });
    if (quoted === undefined && /[^\p{L}\p{N}\p{M}\s"'’.,;:!?()-]/u.test(text) && !/\p{So}/u.test(text)) {
      marked.push(text);
    }
  }
  const telling = typed.filter(({ isSpare }) => !isSpare);
  const all = telling.length > 0 ? telling : typed.length > 0 ? typed : excluded;
  const wanted = all.slice(0, mostTerms);
  return {
    wanted: wanted.some(({ start }) => start !== undefined) ? wanted : wanted.map(withStart),
    spare: telling.length > 0 ? typed.filter(({ isSpare }) => isSpare).slice(0, mostTerms) : [],
    unwanted: typed.length > 0 ? excluded.slice(0, mostTerms) : [],
    names: [typed.length > 0 ? typed : excluded, wanted].map((terms) =>
      terms.flatMap(({ words }) => words).join(" "),
    ),
    dropped: Math.max(0, all.length - mostTerms),
    marked,
  };
}

/** Some terms for a search that takes any of them: words with marks between them need not follow each other then. */
export function loosen(terms: readonly Term[]): readonly Term[] {
  return terms.flatMap((term) => {
    if (term.quoted || term.words.length === 1 || term.words.some(isUnspaced)) return [term];
    return term.words.map((word) => ({ words: [word], open: false, start: startOf(word), quoted: false }));
  });
}

function readTerm(text: string, quoted: boolean): Term | undefined {
  const words = [...wordsOf(text)];
  const last = words.at(-1);
  if (last === undefined) return undefined;
  const before = words.at(-2);
  const isTail = before !== undefined && before.end === last.end && isUnspaced(last.word);
  // The text may go on behind the run: its last character alone need not be the end of one there.
  const kept = (isTail ? words.slice(0, -1) : words).map(({ word }) => word);
  const open = !isTail && isUnspaced(last.word);
  return { words: kept, open, start: quoted ? kept.at(-1) : startOf(kept.at(-1) ?? ""), quoted };
}

/** One or two letters begin too many words to mean any of them. */
const short = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}\p{So}]{1,2}$/u;

const plural = /^\p{Script=Latin}{2,}[^s]s$/u;

function startOf(word: string): string | undefined {
  if (short.test(word)) return undefined;
  return plural.test(word) ? word.slice(0, -1) : word;
}

function withStart(term: Term): Term {
  return { ...term, start: term.words.at(-1) };
}
