import { extractLinks } from "../links/extract-links.ts";
import type { Link } from "../links/link.ts";
import { readBlocks } from "../markdown/read-blocks.ts";
import { aliasesOf } from "./aliases.ts";
import { type ParseYaml, readFrontmatter } from "./frontmatter.ts";
import { findHeadings } from "./headings.ts";
import { type DecodedText, type NoteFacts, noteFacts } from "./note.ts";
import { findBlocks, type NoteBlock } from "./note-blocks.ts";
import type { Prose } from "./prose.ts";
import { splitLines } from "./text-lines.ts";

/** A heading that links can name; the line counts from 1 in the file. */
export interface NoteHeading {
  readonly level: number;
  readonly text: string;
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
