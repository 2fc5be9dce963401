import { findHeadings, type Heading } from "../note/headings.ts";
import { type Prose, readProse } from "../note/prose.ts";
import { lineAt } from "../note/text-lines.ts";
import { type FoundTerm, findWanted, type Wanted } from "./find-terms.ts";
import { cutSnippet } from "./snippet.ts";

/** A part of a note that answers a search. */
export interface FoundSection {
  /** The headings above it, ` > ` between them; undefined before the first. */
  readonly heading: string | undefined;
  /** Line of the file, from 1, of the first word that is marked. */
  readonly line: number;
  readonly snippet: string;
}

/** Sections of a hit that are shown. */
const mostSections = 3;

/**
 * The best sections of a text for a search: those with most of the terms, in the order of the text. Where no term
 * stands in the body, the place in the frontmatter, else the beginning of the body.
 *
 * @param bodyStart where the body begins, in UTF-16 units.
 */
export function findSections(
  text: string,
  bodyStart: number,
  wanted: Wanted,
  snippetChars: number,
): FoundSection[] {
  const found = findWanted(text, bodyStart, wanted);
  const prose = readProse(text, bodyStart);
  if (found.length === 0)
    return inFrontmatter(text, bodyStart, wanted, snippetChars) ?? beginning(prose, snippetChars);
  const headings = findHeadings(prose);
  const linesBefore = countLines(text, bodyStart);
  const groups = new Map<number, FoundTerm[]>();
  const starts = headings.map(({ index }) => prose.lines[index]?.start ?? 0);
  for (const one of found) {
    const section = lastAtOrBefore(starts, one.start);
    const group = groups.get(section);
    if (group === undefined) groups.set(section, [one]);
    else group.push(one);
  }
  const best = [...groups].sort(([a, first], [b, second]) => scoreOf(second) - scoreOf(first) || a - b);
  return best
    .slice(0, mostSections)
    .sort(([a], [b]) => a - b)
    .map(([section, group]) => {
      const range = { start: starts[section] ?? bodyStart, end: starts[section + 1] ?? text.length };
      const { snippet, first } = cutSnippet(text, range, group, snippetChars);
      const lineStarts = prose.lines.map(({ start }) => start);
      return {
        heading: section < 0 ? undefined : headingPath(headings, section),
        line: linesBefore + lastAtOrBefore(lineStarts, first) + 1,
        snippet,
      };
    });
}

/** Different terms count first, then how often they come, up to a point. */
function scoreOf(found: readonly FoundTerm[]): number {
  return new Set(found.map(({ term }) => term)).size * 10 + Math.min(found.length, 9);
}

function inFrontmatter(
  text: string,
  bodyStart: number,
  wanted: Wanted,
  snippetChars: number,
): FoundSection[] | undefined {
  const found = findWanted(text.slice(0, bodyStart), 0, wanted);
  if (found.length === 0) return undefined;
  const opening = lineAt(text, 0);
  const { snippet, first } = cutSnippet(text, { start: opening.next, end: bodyStart }, found, snippetChars);
  const line = countLines(text, first) + 1;
  return [{ heading: undefined, line, snippet: snippet.replace(/ ?-{3}$/, "") }];
}

function beginning(prose: Prose, snippetChars: number): FoundSection[] {
  const first = prose.lines.findIndex((_, index) => prose.kinds[index] !== "blank");
  const line = prose.lines[first];
  if (line === undefined) return [];
  const range = { start: line.start, end: prose.text.length };
  const { snippet } = cutSnippet(prose.text, range, [], snippetChars);
  if (snippet === "") return [];
  const linesBefore = countLines(prose.text, prose.lines[0]?.start ?? 0);
  return [{ heading: undefined, line: linesBefore + first + 1, snippet }];
}

function headingPath(headings: readonly Heading[], index: number): string {
  const names: string[] = [];
  let level = 7;
  for (let at = index; at >= 0; at -= 1) {
    const heading = headings[at];
    if (heading === undefined || heading.level >= level) continue;
    names.unshift(heading.text);
    level = heading.level;
  }
  return names.join(" > ");
}

/** The index of the last of rising numbers that is not above `value`; -1 where all are. */
function lastAtOrBefore(numbers: readonly number[], value: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function countLines(text: string, end: number): number {
  return text.slice(0, end).match(/\r\n|\n|\r/g)?.length ?? 0;
}
