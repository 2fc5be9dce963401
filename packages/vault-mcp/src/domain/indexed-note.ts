import { aliasesOf } from "./aliases.ts";
import { type ParseYaml, readFrontmatter } from "./frontmatter.ts";
import { findHeadings } from "./headings.ts";
import { extractLinks } from "./links/extract-links.ts";
import type { Link } from "./links/link.ts";
import { readBlocks } from "./markdown/read-blocks.ts";
import { type DecodedText, type NoteFacts, noteFacts } from "./note.ts";
import { maskProse, type Prose } from "./prose.ts";
import { splitLines } from "./text-lines.ts";

/** A place in a note that links can name; the line counts from 1 in the file. */
export interface NoteHeading {
  readonly level: number;
  readonly text: string;
  readonly line: number;
}

export interface NoteBlock {
  /** Without `^`. */
  readonly id: string;
  readonly line: number;
}

/** Everything of a note that the index keeps. */
export interface IndexedNote {
  readonly facts: NoteFacts;
  readonly aliases: readonly string[];
  readonly headings: readonly NoteHeading[];
  readonly blocks: readonly NoteBlock[];
  readonly links: readonly Link[];
  /** As the file has it, without the frontmatter. */
  readonly body: string;
}

/** Reads a note for the index, its blocks once for all. */
export function readIndexedNote(path: string, decoded: DecodedText, parseYaml: ParseYaml): IndexedNote {
  const { text } = decoded;
  const read = readFrontmatter(text, parseYaml);
  const lines = splitLines(text, read.bodyStart);
  const blocks = readBlocks(text, lines);
  const prose: Prose = { text, lines, kinds: blocks.kinds };
  const headings = findHeadings(prose);
  const facts = noteFacts(path, decoded, read, prose, headings);
  const linesBefore = splitLines(text.slice(0, read.bodyStart)).length;
  return {
    facts,
    aliases: aliasesOf(facts.frontmatter),
    headings: headings.map(({ level, text: title, index }) => ({
      level,
      text: title,
      line: linesBefore + index + 1,
    })),
    blocks: findBlocks(prose, linesBefore),
    links: extractLinks(text, read.bodyStart, blocks),
    body: text.slice(read.bodyStart),
  };
}

function findBlocks(prose: Prose, linesBefore: number): NoteBlock[] {
  if (!prose.text.includes("^")) return [];
  const masked = maskProse(prose);
  return prose.lines.flatMap(({ start, end }, index) => {
    if (prose.kinds[index] !== "text" || !prose.text.slice(start, end).includes("^")) return [];
    const marks = masked.slice(start, end).matchAll(/(?:^|\s)\^([A-Za-z0-9-]+)(?=\s*$|\s*\|)/g);
    return Array.from(marks, ([, id = ""]) => ({ id, line: linesBefore + index + 1 }));
  });
}
