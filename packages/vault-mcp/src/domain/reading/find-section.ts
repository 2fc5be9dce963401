import { fold } from "../fold.ts";
import { headingForms, looseName } from "../graph/find-fragment.ts";
import { maskedLines, type OutlineEntry, type StructuredText } from "../note/outline.ts";

/** Lines from 1, both included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
  /** The first lines of other sections that answer to the same name. */
  readonly others: readonly number[];
}

/**
 * The lines of a section: a heading, its path such as `A > B` (steps may be left out), each with or without its
 * `#` marks, or a block id such as `^id`. A section reaches to the next heading of its level or above; a block is
 * its paragraph, list item or table row, and of an id that stands alone the block before it. What follows `#` in a link
 * is understood too, as loosely as links are.
 */
export function findSection(structure: StructuredText, name: string): LineRange | undefined {
  const block = blockIdOf(name);
  return block === undefined ? findHeading(structure, name) : findBlock(structure, block);
}

/** The block id that a name means, without `^`; undefined where it means a heading. */
export function blockIdOf(name: string): string | undefined {
  return /^#?\^([A-Za-z0-9-]+)$/.exec(name.trim())?.[1];
}

function findHeading({ outline, lines }: StructuredText, name: string): LineRange | undefined {
  const exact = outline.filter((_, index) => isNamed(outline, index, name, (text) => text));
  const folded = exact.length > 0 ? exact : outline.filter((_, index) => isNamed(outline, index, name, fold));
  // Who writes marks in front means a heading of that level.
  const isLoose = folded.length === 0 && !/^\s*#{1,6}\s/.test(name);
  const found = isLoose ? outline.filter((_, index) => isLinked(outline, index, name)) : folded;
  const [heading, ...others] = found;
  if (heading === undefined) return undefined;
  const next = outline.find(({ line, level }) => line > heading.line && level <= heading.level);
  const last = next === undefined ? lines.length : next.line - 1;
  return { first: heading.line, last, others: others.map(({ line }) => line) };
}

/** Whether a name means a heading: its own text, or a path that ends with it and steps through headings above it. */
function isNamed(
  outline: readonly OutlineEntry[],
  index: number,
  name: string,
  form: (text: string) => string,
): boolean {
  const normal = (text: string) => form(text.normalize("NFC").replace(/\s+/g, " ").trim());
  const isStep = (step: string, heading: OutlineEntry) => {
    const marks = /^\s*(#{1,6})\s+(.*)$/s.exec(step);
    const own = normal(heading.text);
    if (normal(step) === own || normal(step.replace(/^\s*#(?=[^\s#])/, "")) === own) return true;
    return marks !== null && marks[1]?.length === heading.level && normal(marks[2] ?? "") === own;
  };
  const heading = outline[index];
  if (heading === undefined) return false;
  if (isStep(name, heading)) return true;
  // A heading may have " > " in its own text, so every way to cut the last step off is tried.
  for (let cut = name.indexOf(" > "); cut >= 0; cut = name.indexOf(" > ", cut + 1)) {
    if (!isStep(name.slice(cut + 3), heading)) continue;
    const above = name.slice(0, cut);
    if (ancestorsOf(outline, index).some((ancestor) => isNamed(outline, ancestor, above, form))) return true;
  }
  return false;
}

/** Whether what follows `#` in a link, such as `A#B` or `a--b`, means a heading. */
function isLinked(outline: readonly OutlineEntry[], index: number, name: string): boolean {
  const steps = name
    .split(/#| > /)
    .map(looseName)
    .filter((step) => step !== "");
  const last = steps.pop();
  if (last === undefined || !headingForms(outline[index]?.text ?? "").includes(last)) return false;
  const above = ancestorsOf(outline, index).map((ancestor) => headingForms(outline[ancestor]?.text ?? ""));
  return steps.every((step) => above.some((forms) => forms.includes(step)));
}

function ancestorsOf(outline: readonly OutlineEntry[], index: number): number[] {
  const ancestors: number[] = [];
  let level = outline[index]?.level ?? 1;
  for (let at = index - 1; at >= 0; at -= 1) {
    const heading = outline[at];
    if (heading === undefined || heading.level >= level) continue;
    ancestors.push(at);
    level = heading.level;
  }
  return ancestors;
}

const item = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;

function findBlock(structure: StructuredText, id: string): LineRange | undefined {
  const masked = maskedLines(structure);
  const kinds = structure.prose.kinds;
  const mark = new RegExp(`(?:^|\\s)\\^${id}(?=\\s*$|\\s*\\|)`);
  const marked = masked.flatMap((line, index) => (kinds[index] === "text" && mark.test(line) ? [index] : []));
  const [at, ...others] = marked;
  if (at === undefined) return undefined;
  const isBlank = (index: number) => kinds[index] === undefined || kinds[index] === "blank";
  const isProse = (index: number) => kinds[index] === "text" && !/^ {0,3}#{1,6}\s/.test(masked[index] ?? "");
  let first = at;
  let last = at;
  if (/^\s*\^[A-Za-z0-9-]+\s*$/.test(masked[at] ?? "")) {
    first -= 1;
    while (first > 0 && isBlank(first)) first -= 1;
    while (first > 0 && !isBlank(first - 1)) first -= 1;
  } else if (/^\s*\|/.test(masked[at] ?? "")) {
    // One row of a table.
  } else {
    while (first > 0 && !item.test(masked[first] ?? "") && isProse(first - 1)) first -= 1;
    last = endOfBlock(masked, first, last, isProse);
  }
  const line = (index: number) => structure.linesBefore + index + 1;
  return { first: line(Math.max(0, first)), last: line(last), others: others.map(line) };
}

/** A list item goes on with the lines below it that are indented deeper; a paragraph to its blank line. */
function endOfBlock(
  masked: readonly string[],
  first: number,
  marked: number,
  isProse: (index: number) => boolean,
): number {
  const indent = item.exec(masked[first] ?? "")?.[1]?.length;
  let last = marked;
  while (isProse(last + 1)) {
    const next = masked[last + 1] ?? "";
    const nextIndent = /^[ \t]*/.exec(next)?.[0].length ?? 0;
    if (indent !== undefined && nextIndent <= indent) break;
    last += 1;
  }
  return last;
}
