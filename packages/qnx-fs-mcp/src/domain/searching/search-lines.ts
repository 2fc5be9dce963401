import type { LineMatcher } from "./line-matcher.ts";
import type { Line } from "./line-splitter.ts";

/** Characters of a line that are shown, and how many of them may stand before the match. */
const shownCharacters = 400;
const charactersBefore = 100;

export interface LineMatch {
  readonly line: number;
  /** The match's first character in the line, counted from 1. */
  readonly column: number;
  readonly text: string;
  /** Only a part of the line is shown. */
  readonly cut: boolean;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Where the next line begins. */
  readonly end: number;
}

/** Looks into the lines of a file one after the other. */
export class LineSearch {
  readonly matches: LineMatch[] = [];
  readonly #matcher: LineMatcher;
  readonly #context: number;
  readonly #before: Buffer[] = [];
  #waiting: { readonly after: string[]; left: number }[] = [];

  /** `context`: lines to show before and after each match. */
  constructor(matcher: LineMatcher, context: number) {
    this.#matcher = matcher;
    this.#context = context;
  }

  /** Whether the first `count` matches have all the lines after them. */
  isComplete(count: number): boolean {
    return this.#waiting.length === 0 || this.#waiting.length <= this.matches.length - count;
  }

  push({ bytes, number, end, cut }: Line): void {
    for (const waiting of this.#waiting) {
      waiting.after.push(shorten(textOf(bytes), 0).text);
      waiting.left--;
    }
    if (this.#waiting[0]?.left === 0) this.#waiting = this.#waiting.filter(({ left }) => left > 0);
    if (this.#matcher.mayMatch(bytes)) {
      const text = textOf(bytes);
      const found = this.#matcher.match(text);
      if (found !== undefined) {
        const shown = shorten(text, found.start);
        const after: string[] = [];
        this.matches.push({
          line: number,
          column: found.start + 1,
          text: shown.text,
          cut: shown.cut || cut,
          before: this.#before.map((line) => shorten(textOf(line), 0).text),
          after,
          end,
        });
        if (this.#context > 0) this.#waiting.push({ after, left: this.#context });
      }
    }
    if (this.#context === 0) return;
    // A copy: the line is a view of a large chunk.
    this.#before.push(Buffer.from(bytes.subarray(0, 4 * shownCharacters)));
    if (this.#before.length > this.#context) this.#before.shift();
  }
}

function textOf(bytes: Buffer): string {
  const end = bytes.at(-1) === 0x0d ? bytes.length - 1 : bytes.length;
  return bytes.toString("utf8", 0, end);
}

/** The part of a line around its match. */
function shorten(text: string, start: number): { readonly text: string; readonly cut: boolean } {
  if (text.length <= shownCharacters) return { text, cut: false };
  const from = Math.max(0, Math.min(start - charactersBefore, text.length - shownCharacters));
  // Never inside a character.
  return { text: text.slice(from, from + shownCharacters).toWellFormed(), cut: true };
}
