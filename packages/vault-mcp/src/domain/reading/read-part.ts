import { VaultError } from "../errors.ts";
import { etagOf, partialEtag } from "../etag.ts";
import type { JsonObject } from "../json.ts";
import { nearest } from "../nearest.ts";
import { decodeText } from "../note/decode.ts";
import { type ParseError, type ParseYaml, readFrontmatter } from "../note/frontmatter.ts";
import { findBlocks } from "../note/note-blocks.ts";
import { type OutlineEntry, plainStructure, readStructure, type StructuredText } from "../note/outline.ts";
import type { VaultFile } from "../vault-reader.ts";
import { blockIdOf, findSection } from "./find-section.ts";
import type { ReadTarget } from "./read-request.ts";
import { type CutText, fitWindow, lineNumberAt, type TextWindow } from "./text-window.ts";

/** A part of a document's text. */
export interface TextPart {
  readonly content: string;
  /** Lines from 1; 0 in an empty document. */
  readonly startLine: number;
  readonly endLine: number;
  readonly totalLines: number;
  /** Whole when nothing of the document is left unread, in this part and those before it. */
  readonly etag: string;
  /** Only with the first part of a note. */
  readonly frontmatter: JsonObject | undefined;
  readonly outline: readonly OutlineEntry[] | undefined;
  readonly parseError: ParseError | undefined;
  /** Where the next part begins; undefined at the end. */
  readonly nextOffset: number | undefined;
  readonly notes: readonly string[];
}

export interface PartOptions {
  /** Bytes of JSON for everything. */
  readonly room: number;
  readonly cut: CutText;
  readonly parseYaml: ParseYaml;
}

/** Frontmatter and outline may take this share of the room each. */
const asideShare = 0.25;

const jsonSize = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/**
 * The part of a text document that a target means, from `offset` on, as much as fits.
 *
 * @throws VaultError SECTION_NOT_FOUND, INVALID_ARGUMENT for lines beyond the end.
 */
export function readPart(
  file: VaultFile & { readonly bytes: Buffer },
  given: string,
  target: ReadTarget,
  offset: number | undefined,
  { room, cut, parseYaml }: PartOptions,
): TextPart {
  const decoded = decodeText(file.bytes);
  const { text, badLine } = decoded;
  const isNote = file.kind === "note";
  const read = isNote ? readFrontmatter(text, parseYaml) : undefined;
  const isFirst = offset === undefined;
  // A later part of a large note must not cost as much as its first.
  const isStructured = read !== undefined && (isFirst || target.section !== undefined);
  const structure = isStructured ? readStructure(text, read.bodyStart) : plainStructure(text);
  const notes: string[] = [];
  if (badLine !== undefined) {
    notes.push(`The file is not UTF-8 (first in line ${badLine}); it is shown as Latin-1.`);
  }
  const wanted = targetWindow(structure, given, target, notes);
  const aside =
    isFirst && read !== undefined
      ? asides(structure, badLine === undefined ? read.data : {}, room, notes)
      : {};
  const window = fitWindow(
    text,
    { start: offset ?? wanted.start, end: wanted.end },
    Math.max(room - jsonSize(aside) - jsonSize(notes), minimumRoom),
    cut,
  );
  const isWhole = wanted.start === 0 && window.end === text.length && badLine === undefined;
  const etag = etagOf(file.bytes);
  return {
    content: text.slice(window.start, window.end),
    startLine: lineNumberAt(structure.lines, window.start),
    endLine: lineNumberAt(structure.lines, Math.max(window.start, window.end - 1)),
    totalLines: structure.lines.length,
    etag: isWhole ? etag : partialEtag(etag),
    frontmatter: aside.frontmatter,
    outline: aside.outline,
    parseError: isNote && isFirst ? parseErrorOf(badLine, read?.error) : undefined,
    nextOffset: window.end < wanted.end ? window.end : undefined,
    notes,
  };
}

const minimumRoom = 200;

function parseErrorOf(badLine: number | undefined, error: ParseError | undefined): ParseError | undefined {
  return badLine === undefined ? error : { line: badLine, message: "is not UTF-8 text" };
}

function targetWindow(
  structure: StructuredText,
  given: string,
  { section, startLine, endLine }: ReadTarget,
  notes: string[],
): TextWindow {
  const { text, lines } = structure;
  if (section !== undefined) {
    const range = findSection(structure, section);
    if (range === undefined) {
      throw new VaultError("SECTION_NOT_FOUND", {
        path: given,
        section,
        nearest: nearestSections(structure, section),
      });
    }
    if (range.others.length > 0) {
      const others = range.others.slice(0, 10).join(", ");
      notes.push(
        `The name fits other sections too, at line ${others}: read one by start_line, or by a path such as "A > B".`,
      );
    }
    return windowOfLines(structure, range.first, range.last);
  }
  if (startLine === undefined && endLine === undefined) return { start: 0, end: text.length };
  const first = startLine ?? 1;
  if (first > Math.max(1, lines.length)) {
    throw new VaultError("INVALID_ARGUMENT", {
      argument: "start_line",
      problem: `is ${first}, but the document ends at line ${lines.length}`,
      next: `Call again with start_line from 1 to ${Math.max(1, lines.length)}.`,
    });
  }
  return windowOfLines(structure, first, Math.min(endLine ?? lines.length, lines.length));
}

/** Sections that were probably meant, else the first ones that there are. */
function nearestSections(structure: StructuredText, section: string): string[] {
  const isBlock = blockIdOf(section) !== undefined;
  const names = isBlock
    ? findBlocks(structure.prose, structure.linesBefore).map(({ id }) => `^${id}`)
    : structure.outline.map(({ text }) => text);
  const different = [...new Set(names)];
  const asked = isBlock ? section.trim().replace(/^#/, "") : section.replace(/^.* > |^#+\s*/gs, "");
  const close = nearest(asked, different, 5);
  return close.length > 0 ? close : different.slice(0, 10);
}

function windowOfLines({ lines }: StructuredText, first: number, last: number): TextWindow {
  return { start: lines[first - 1]?.start ?? 0, end: lines[last - 1]?.next ?? 0 };
}

interface Asides {
  frontmatter?: JsonObject;
  outline?: OutlineEntry[];
}

/** The frontmatter and the outline, as far as they leave most of the room to the content. */
function asides({ outline }: StructuredText, data: JsonObject, room: number, notes: string[]): Asides {
  const share = Math.floor(room * asideShare);
  const result: Asides = {};
  if (jsonSize(data) <= share) result.frontmatter = data;
  else
    notes.push("The frontmatter is too large to be given apart; it stands at the beginning of the content.");
  let size = 0;
  const kept = outline.filter((entry) => {
    size += jsonSize(entry) + 1;
    return size <= share;
  });
  if (kept.length < outline.length)
    notes.push(`The outline shows ${kept.length} of ${outline.length} headings.`);
  result.outline = kept;
  return result;
}
