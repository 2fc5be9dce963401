import { codeSpanFinder, runEnd } from "./code-spans.ts";
import { angleEnd } from "./html-inline.ts";
import type { FindMark } from "./mark-finder.ts";
import { isEscapable } from "./unescape.ts";

/**
 * Tells where what begins at a place of a paragraph's text ends: an escape, a code span, HTML, math or a `%%` comment, in
 * which nothing else counts; after one character where none begins. To be asked for places in ascending order.
 */
export function opaqueSpans(text: string, find: FindMark): (at: number) => number {
  const codeEnd = codeSpanFinder(text);
  return (at) => {
    switch (text[at]) {
      case "\\":
        return at + (isEscapable(text.charAt(at + 1)) ? 2 : 1);
      case "`":
        return codeEnd(at) ?? runEnd(text, at);
      case "<":
        return angleEnd(text, at, find) ?? at + 1;
      case "%":
        return (text[at + 1] === "%" ? find("%%", at + 2) : undefined) ?? at + 1;
      case "$":
        return (text[at + 1] === "$" ? find("$$", at + 2) : mathEnd(text, at)) ?? at + 1;
      default:
        return at + 1;
    }
  };
}

/** Inline math: no space inside its dollars, no digit after them, so that prices are text. */
function mathEnd(text: string, at: number): number | undefined {
  const end = at + 1 + text.slice(at + 1, at + 1001).search(/[$\n]/) + 1;
  if (end <= at + 2 || text[end - 1] !== "$") return undefined;
  const inside = !/\s/.test(text.charAt(at + 1)) && !/\s/.test(text.charAt(end - 2));
  return inside && !/\d/.test(text.charAt(end)) ? end : undefined;
}
