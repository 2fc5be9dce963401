import type { Line } from "../note/text-lines.ts";

/** A part of a text, `[start, end)` in UTF-16 units. */
export interface TextWindow {
  readonly start: number;
  readonly end: number;
}

/** The longest prefix whose JSON takes at most that many bytes, never inside a character. */
export type CutText = (text: string, maxJsonBytes: number) => string;

/** What of a window fits into `maxBytes` of JSON: whole lines, unless a huge one would leave half of the room unused. */
export function fitWindow(
  text: string,
  { start, end }: TextWindow,
  maxBytes: number,
  cut: CutText,
): TextWindow {
  // A JSON string has at least one byte for each UTF-16 unit, so nothing beyond can fit.
  const prefix = cut(text.slice(start, Math.min(end, start + maxBytes)), maxBytes);
  if (start + prefix.length >= end) return { start, end };
  const lineEnd = prefix.lastIndexOf("\n") + 1;
  if (lineEnd > prefix.length / 2) return { start, end: start + lineEnd };
  // CR and LF are one ending.
  const splitsEnding = prefix.endsWith("\r") && prefix.length > 1;
  return { start, end: start + prefix.length - (splitsEnding ? 1 : 0) };
}

/** The number, from 1, of the line in which a position lies; 0 in a text without lines. */
export function lineNumberAt(lines: readonly Line[], position: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((lines[middle]?.next ?? 0) > position) high = middle;
    else low = middle + 1;
  }
  return Math.min(low + 1, lines.length);
}
