import { mostNearest, nearest } from "../../../domain/nearest.ts";
import { isUnspaced } from "../../../domain/search/words.ts";
import type { IndexSnapshot } from "./index-snapshot.ts";

/** Of more words of a query, and among more words of the index, none is looked for. */
const mostWords = 5;
const mostTerms = 20_000;

/** Shorter words are like too many others. */
const leastLetters = 4;

/** Letters at its beginning that a word shares with those that are like it. */
const sharedLetters = 2;

/** Words of the notes that differ little from words of a query, as they are compared. */
export function similarWords({ reader, within }: IndexSnapshot, words: readonly string[]): string[] {
  // The words of all notes are not told to who may see some folders alone.
  if (within !== undefined) return [];
  const asked = [...new Set(words)].filter(isSpelled).slice(0, mostWords);
  const found = asked.flatMap((word) => {
    const start = Array.from(word).slice(0, sharedLetters).join("");
    const rows = reader.all<{ term: string }>(
      `SELECT term FROM search_word WHERE term >= ? AND term < ? LIMIT ${mostTerms}`,
      [start, `${start}\u{10ffff}`],
    );
    return nearest(word, rows.map(({ term }) => term).filter(isSpelled), mostNearest);
  });
  return [...new Set(found)].slice(0, mostNearest);
}

/** Whether a word is of letters alone, as many as a misspelling can be told by. */
function isSpelled(word: string): boolean {
  return word.length >= leastLetters && /^\p{L}+$/u.test(word) && !isUnspaced(word);
}
