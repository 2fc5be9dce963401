import { isUnspaced, wordsOf } from "./words.ts";

/** Something to look for: words that must follow each other. */
export interface Term {
  readonly words: readonly string[];
  /** Whether words that begin with the last one are meant in any case: one character of a script without spaces. */
  readonly open: boolean;
}

/** A query taken apart. */
export interface SearchTerms {
  readonly wanted: readonly Term[];
  readonly unwanted: readonly Term[];
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
 * `file-back`, stands for its words one after the other. A query of exclusions alone is read as words.
 */
export function parseSearch(query: string): SearchTerms {
  const wanted: Term[] = [];
  const unwanted: Term[] = [];
  const marked: string[] = [];
  for (const { groups = {} } of query.matchAll(part)) {
    const { minus = "", quoted, plain = "" } = groups;
    const isWithout = quoted === undefined ? /^-[^\s-]/.test(plain) : minus !== "";
    const text = quoted ?? (isWithout ? plain.slice(1) : plain);
    const term = readTerm(text);
    if (term === undefined) continue;
    (isWithout ? unwanted : wanted).push(term);
    if (quoted === undefined && /[^\p{L}\p{N}\p{M}\s"'’.,;:!?()-]/u.test(text) && !/\p{So}/u.test(text)) {
      marked.push(text);
    }
  }
  const isExclusionAlone = wanted.length === 0;
  const all = isExclusionAlone ? unwanted : wanted;
  return {
    wanted: all.slice(0, mostTerms),
    unwanted: isExclusionAlone ? [] : unwanted.slice(0, mostTerms),
    dropped: Math.max(0, all.length - mostTerms),
    marked,
  };
}

function readTerm(text: string): Term | undefined {
  const words = [...wordsOf(text)];
  const last = words.at(-1);
  if (last === undefined) return undefined;
  const before = words.at(-2);
  const isTail = before !== undefined && before.end === last.end && isUnspaced(last.word);
  // The text may go on behind the run: its last character alone need not be the end of one there.
  const kept = isTail ? words.slice(0, -1) : words;
  return { words: kept.map(({ word }) => word), open: !isTail && isUnspaced(last.word) };
}
