import { wikilinkClose } from "../markdown/find-links.ts";
import { inlineTailAt } from "../markdown/link-syntax.ts";
import { markFinder } from "../markdown/mark-finder.ts";
import { opaqueSpans } from "../markdown/opaque-spans.ts";

/** Stands for every character that is masked; no letter, no space and no mark of Markdown. */
export const filler = "\ufffc";

type Range = readonly [start: number, end: number];

/**
 * A paragraph's text of the same length in which what is no prose is filled over: code spans, comments, math, HTML
 * tags and autolinks, what a wikilink or an inline link points to. In time linear to the text.
 */
export function maskInline(text: string): string {
  if (!/[`<[$%]/.test(text)) return text;
  const masked: Range[] = [];
  const find = markFinder(text);
  const opaqueEnd = opaqueSpans(text, find);
  const marks = /[\\`<$%[\]]/g;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const at = mark.index;
    const end = linkEnd(at) ?? opaqueEnd(at);
    // An escape and a run of backticks that opens nothing stand for themselves.
    if (end > at + 1 && mark[0] !== "\\" && !/^`+$/.test(text.slice(at, end))) masked.push([at, end]);
    marks.lastIndex = end;
  }
  return cover(text, masked);

  function linkEnd(at: number): number | undefined {
    if (text[at] === "]") return inlineTailAt(text, at + 1)?.end;
    const close = text[at] === "[" ? wikilinkClose(text, at, find) : undefined;
    return close === undefined ? undefined : close + 2;
  }
}

function cover(text: string, ranges: readonly Range[]): string {
  let result = "";
  let from = 0;
  for (const [start, end] of ranges) {
    result += text.slice(from, start) + text.slice(start, end).replace(/[^\r\n]/g, filler);
    from = end;
  }
  return result + text.slice(from);
}
