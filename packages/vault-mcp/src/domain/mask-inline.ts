/** Stands for every character that is masked; no letter, no space and no mark of Markdown. */
export const filler = "\ufffc";

type Range = readonly [start: number, end: number];

/**
 * A paragraph's text of the same length in which what is no prose is filled over: code spans, comments, math, HTML
 * tags and autolinks, what a wikilink or an inline link points to. In time linear to the text.
 */
export function maskInline(text: string): string {
  if (!/[`<[$]/.test(text)) return text;
  const masked: Range[] = [];
  const codeEnd = closingRuns(text);
  const find = finder(text);
  for (let at = 0; at < text.length; ) {
    const end = nonProseEnd(text, at, codeEnd, find);
    if (end > at) masked.push([at, end]);
    at = end > at ? end : at + (text[at] === "\\" ? 2 : text[at] === "`" ? runLength(text, at) : 1);
  }
  return cover(text, masked);
}

/** Where the construct that begins at `at` ends; `at` itself where none does. */
function nonProseEnd(text: string, at: number, codeEnd: Map<number, number>, find: Finder): number {
  switch (text[at]) {
    case "`":
      return codeEnd.get(at) ?? at;
    case "<":
      return text.startsWith("<!--", at) ? find("-->", at + 4, at) : tagEnd(text, at);
    case "[":
      return text.startsWith("[[", at) ? find("]]", at + 2, at) : at;
    case "]":
      return text[at + 1] === "(" ? destinationEnd(text, at) : at;
    case "$":
      return text.startsWith("$$", at) ? find("$$", at + 2, at) : mathEnd(text, at);
    default:
      return at;
  }
}

type Finder = (mark: string, from: number, otherwise: number) => number;

/** The end of the next mark; remembers where there is none, so that it is not looked for again and again. */
function finder(text: string): Finder {
  const known = new Map<string, number>();
  return (mark, from, otherwise) => {
    let at = known.get(mark) ?? -1;
    if (at !== Number.POSITIVE_INFINITY && at < from) {
      const found = text.indexOf(mark, from);
      at = found < 0 ? Number.POSITIVE_INFINITY : found;
      known.set(mark, at);
    }
    return at === Number.POSITIVE_INFINITY ? otherwise : at + mark.length;
  };
}

function runLength(text: string, at: number): number {
  let end = at;
  while (text[end] === "`") end += 1;
  return end - at;
}

/** For each run of backticks that opens a code span, where the span ends: after the next run of the same length. */
function closingRuns(text: string): Map<number, number> {
  const ends = new Map<number, number>();
  const later = new Map<number, number>();
  const runs = [...text.matchAll(/`+/g)].reverse();
  for (const { index, 0: run } of runs) {
    const next = later.get(run.length);
    if (next !== undefined) ends.set(index, next + run.length);
    later.set(run.length, index);
  }
  return ends;
}

/** Nothing longer is looked for, so that a text of many openings without an end takes no long time. */
const longest = 500;

function tagEnd(text: string, at: number): number {
  const tag = /^<[/!?]?[A-Za-z][^<>]*>/.exec(text.slice(at, at + longest));
  return tag === null ? at : at + tag[0].length;
}

/** `](…)` on one line, with balanced parentheses inside. */
function destinationEnd(text: string, at: number): number {
  let depth = 0;
  for (let end = at + 1; end < Math.min(text.length, at + longest) && text[end] !== "\n"; end += 1) {
    if (text[end] === "\\") end += 1;
    else if (text[end] === "(") depth += 1;
    else if (text[end] === ")") depth -= 1;
    if (depth === 0) return end + 1;
  }
  return at;
}

/** Inline math: no space inside its dollars, no digit after them, so that prices are prose. */
function mathEnd(text: string, at: number): number {
  const math = /^\$(?=\S)[^$\n]*?(?<=\S)\$(?!\d)/.exec(text.slice(at, at + longest));
  return math === null ? at : at + math[0].length;
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
