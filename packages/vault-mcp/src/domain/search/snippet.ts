import type { FoundTerm } from "./find-terms.ts";

export interface Snippet {
  /** In one line; what was found stands between `<mark>` and `</mark>`. */
  readonly snippet: string;
  /** Where the first marked place, or else the text, stands. */
  readonly first: number;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** This share of a snippet stands before the first place. */
const lead = 0.25;

/** The part of a range, `chars` characters at most without its marks, that holds most of what was found there. */
export function cutSnippet(text: string, range: Range, found: readonly FoundTerm[], chars: number): Snippet {
  const window = bestWindow(range, found, chars);
  const start = startOfWord(text, window.start, range.start);
  const end = endOfWord(text, Math.max(window.end, start), range.end);
  const inside = found.filter((one) => one.start >= start && one.end <= end);
  let marked = "";
  let at = start;
  for (const group of joined(inside)) {
    marked += `${text.slice(at, group.start)}<mark>${text.slice(group.start, group.end)}</mark>`;
    at = group.end;
  }
  marked += text.slice(at, end);
  const before = start > range.start && text.slice(range.start, start).trim() !== "" ? "…" : "";
  const after = end < range.end && text.slice(end, end + 1_000).trim() !== "" ? "…" : "";
  const snippet = marked.replace(/\s+/g, " ").trim().toWellFormed();
  return { snippet: `${before}${snippet}${after}`, first: inside[0]?.start ?? start };
}

/** The window over most different terms, from the first place in it on. */
function bestWindow(range: Range, found: readonly FoundTerm[], chars: number): Range {
  let best = { start: range.start, score: -1 };
  for (const [index, { start }] of found.entries()) {
    const terms = new Set<number>();
    let places = 0;
    for (let at = index; at < found.length; at += 1) {
      const other = found[at];
      if (other === undefined || other.end > start + chars * (1 - lead)) break;
      terms.add(other.term);
      places += 1;
    }
    const score = terms.size * 1_000 + Math.min(places, 99);
    if (score > best.score) best = { start, score };
  }
  const start = Math.max(range.start, best.start - Math.floor(chars * lead));
  return { start, end: Math.min(range.end, start + chars) };
}

/** Places that overlap or touch as one. */
function joined(found: readonly FoundTerm[]): Range[] {
  const ranges: { start: number; end: number }[] = [];
  for (const { start, end } of [...found].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = ranges.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else ranges.push({ start, end });
  }
  return ranges;
}

/** How far a cut may move to stand between two words, characters. */
const farthest = 30;

function startOfWord(text: string, at: number, from: number): number {
  if (at <= from) return from;
  const space = /\s\S/.exec(text.slice(at - 1, at + farthest));
  if (space !== null) return at + space.index;
  return at + (isInside(text, at) ? 1 : 0);
}

function endOfWord(text: string, at: number, to: number): number {
  if (at >= to) return to;
  const tail = /\S\s(?=\S*$)/.exec(text.slice(Math.max(0, at - farthest), at + 1));
  if (tail !== null) return Math.max(0, at - farthest) + tail.index + 1;
  return at - (isInside(text, at) ? 1 : 0);
}

/** Whether a place lies between the halves of a character. */
function isInside(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit < 0xe000;
}
