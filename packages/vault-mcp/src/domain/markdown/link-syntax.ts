import type { Range } from "./mapped-text.ts";

/** A link's destination as it is written, without the angle brackets of a pointy one. */
export interface Destination extends Range {
  readonly pointy: boolean;
}

/** The `(destination "title")` of an inline link, or what follows the colon of a definition. */
export interface LinkTail {
  readonly destination: Destination;
  /** Where the construct ends. */
  readonly end: number;
}

/** Deeper parentheses make no destination, as in other parsers, so that many openings take no long time. */
const deepest = 32;

const label = /\[((?:[^\\[\]]|\\.){0,999})\]/sy;
const spaces = /[ \t\n]*/y;

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function skipSpaces(text: string, at: number): number {
  return endOf(spaces, text, at) ?? at;
}

/** `[label]` at a place: the range of what it holds; undefined where it holds brackets, nothing, or over 999 characters. */
export function labelAt(text: string, at: number): Range | undefined {
  const end = endOf(label, text, at);
  if (end === undefined || end - at > 1001) return undefined;
  return { start: at + 1, end: end - 1 };
}

/** The form in which labels are compared. */
export function normalizeLabel(text: string): string {
  return text
    .replace(/[ \t\n\r]+/g, " ")
    .trim()
    .toLowerCase()
    .toUpperCase();
}

/** The `(…)` of an inline link that begins at a place. Source: CommonMark 0.31, Links. */
export function inlineTailAt(text: string, at: number): LinkTail | undefined {
  if (text[at] !== "(") return undefined;
  const start = skipSpaces(text, at + 1);
  if (text[start] === ")") return { destination: { start, end: start, pointy: false }, end: start + 1 };
  const found = destinationAt(text, start, deepest);
  if (found === undefined) return undefined;
  let end = skipSpaces(text, found.end);
  if (end > found.end) end = skipSpaces(text, titleEnd(text, end) ?? end);
  return text[end] === ")" ? { destination: found.destination, end: end + 1 } : undefined;
}

/** What follows the colon of a definition; it ends with a line. Source: CommonMark 0.31, Link reference definitions. */
export function definitionTailAt(text: string, at: number): LinkTail | undefined {
  const found = destinationAt(text, skipSpaces(text, at), Number.POSITIVE_INFINITY);
  if (found === undefined) return undefined;
  const { destination } = found;
  const start = skipSpaces(text, found.end);
  const title = start > found.end ? titleEnd(text, start) : undefined;
  const end = (title === undefined ? undefined : lineEnd(text, title)) ?? lineEnd(text, found.end);
  return end === undefined ? undefined : { destination, end };
}

function lineEnd(text: string, at: number): number | undefined {
  return endOf(/[ \t]*(?:\n|$)/y, text, at);
}

function titleEnd(text: string, at: number): number | undefined {
  const open = text.charAt(at);
  if (open === "(") return closingEnd(text, at + 1, ")", "(");
  return open === '"' || open === "'" ? closingEnd(text, at + 1, open, "") : undefined;
}

/** The place after the next `close` that no backslash precedes; undefined where one of `refused` comes before it. */
function closingEnd(text: string, from: number, close: string, refused: string): number | undefined {
  for (let at = from; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === close) return at + 1;
    if (refused.includes(char)) return undefined;
    if (char === "\\" && text[at + 1] !== "\n") at += 1;
  }
  return undefined;
}

function destinationAt(text: string, at: number, depth: number): LinkTail | undefined {
  if (text[at] === "<") {
    const end = closingEnd(text, at + 1, ">", "<\n");
    return end === undefined
      ? undefined
      : { destination: { start: at + 1, end: end - 1, pointy: true }, end };
  }
  const end = plainEnd(text, at, depth);
  return end === undefined || end === at
    ? undefined
    : { destination: { start: at, end, pointy: false }, end };
}

/** Where a destination without angle brackets ends: before a space or a parenthesis that closes nothing in it. */
function plainEnd(text: string, start: number, deepestHere: number): number | undefined {
  let depth = 0;
  let at = start;
  for (; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit <= 0x20 || unit === 0x7f) break;
    if (unit === 0x5c && text.charCodeAt(at + 1) > 0x20) at += 1;
    else if (unit === 0x28) depth += 1;
    else if (unit === 0x29) {
      if (depth === 0) break;
      depth -= 1;
    }
    if (depth > deepestHere) return undefined;
  }
  return depth === 0 ? Math.min(at, text.length) : undefined;
}
