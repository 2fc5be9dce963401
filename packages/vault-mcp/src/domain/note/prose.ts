import { type LineKind, readBlocks } from "../markdown/read-blocks.ts";
import { filler, maskInline } from "./mask-inline.ts";
import { type Line, splitLines } from "./text-lines.ts";

/** A note's body with its lines, and the same text with everything filled over that is no prose. */
export interface Prose {
  readonly text: string;
  readonly lines: readonly Line[];
  readonly kinds: readonly LineKind[];
}

/** The body of a text, from `bodyStart` on; positions count in the whole text. */
export function readProse(text: string, bodyStart: number): Prose {
  const lines = splitLines(text, bodyStart);
  return { text, lines, kinds: readBlocks(text, lines).kinds };
}

/** The whole text, of the same length, with code, comments, math and the targets of links filled over. */
export function maskProse({ text, lines, kinds }: Prose): string {
  let masked = text.slice(0, lines[0]?.start ?? text.length);
  let paragraphStart: number | undefined;
  const flush = (end: number) => {
    if (paragraphStart !== undefined) masked += maskInline(text.slice(paragraphStart, end));
    paragraphStart = undefined;
  };
  for (const [index, line] of lines.entries()) {
    if (kinds[index] === "text") {
      paragraphStart ??= line.start;
    } else {
      flush(line.start);
      masked += text.slice(line.start, line.next).replace(/[^\s]/g, filler);
    }
  }
  flush(text.length);
  return masked;
}
