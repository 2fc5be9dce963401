import { findHeadings } from "./headings.ts";
import { maskProse, type Prose, readProse } from "./prose.ts";
import { type Line, splitLines } from "./text-lines.ts";

/** A heading of a document; lines count from 1 in the file. */
export interface OutlineEntry {
  readonly level: number;
  readonly text: string;
  readonly line: number;
}

/** A text with its lines and what is known of its structure. */
export interface StructuredText {
  readonly text: string;
  readonly lines: readonly Line[];
  readonly outline: readonly OutlineEntry[];
  /** The body, and how many lines stand before it. */
  readonly prose: Prose;
  readonly linesBefore: number;
}

/** The structure of a note's text. */
export function readStructure(text: string, bodyStart: number): StructuredText {
  const lines = splitLines(text);
  const prose = readProse(text, bodyStart);
  const linesBefore = lines.length - prose.lines.length;
  const outline = findHeadings(prose).map(({ level, text: title, index }) => ({
    level,
    text: title,
    line: linesBefore + index + 1,
  }));
  return { text, lines, outline, prose, linesBefore };
}

/** A text without headings, such as an attachment's. */
export function plainStructure(text: string): StructuredText {
  const lines = splitLines(text);
  return { text, lines, outline: [], prose: { text, lines, kinds: lines.map(() => "code") }, linesBefore: 0 };
}

/** A line of the body with what is no prose filled over. */
export function maskedLines({ prose }: StructuredText): readonly string[] {
  const masked = maskProse(prose);
  return prose.lines.map(({ start, end }) => masked.slice(start, end));
}
