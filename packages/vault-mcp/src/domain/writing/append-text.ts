import { VaultError } from "../errors.ts";
import { type ParseYaml, readFrontmatter } from "../note/frontmatter.ts";
import { readStructure, type StructuredText } from "../note/outline.ts";
import { lineAt } from "../note/text-lines.ts";
import { blockIdOf, findSection } from "../reading/find-section.ts";

/**
 * Adds content to a note, on lines of its own: at the end, or at the end of a section (after its subsections) or
 * behind a block. Blank lines that separate the section from the next one stay behind it, and so does the note's
 * final newline or its absence. No heading is made, changed or swallowed but those in the content.
 *
 * @param path names the note in errors.
 * @throws VaultError SECTION_NOT_FOUND with the outline, SECTION_AMBIGUOUS, INVALID_ARGUMENT for content that would
 *   change the headings around it.
 */
export function appendText(
  path: string,
  text: string,
  content: string,
  section: string | undefined,
  parseYaml: ParseYaml,
): string {
  checkContent(content);
  const structure = structureOf(text, parseYaml);
  const place = section === undefined ? endOf(text) : endOfSection(path, structure, section);
  const before = outlineOf(structure);
  for (const candidate of candidates(text, place, content)) {
    if (isSuperset(outlineOf(structureOf(candidate, parseYaml)), before)) return candidate;
  }
  throw new VaultError("INVALID_ARGUMENT", {
    argument: "content",
    problem: "would swallow or change a heading of the note, as an open code block or comment does",
    next: "Call again with content in which every code block and comment is closed.",
  });
}

interface Place {
  /** After the line ending of the line before, or the end of the text. */
  readonly at: number;
  /** Whether a paragraph before it must not run into the content. */
  readonly apart: boolean;
}

function checkContent(content: string): void {
  const refuse = (problem: string, next: string) => {
    throw new VaultError("INVALID_ARGUMENT", { argument: "content", problem, next });
  };
  if (content === "") refuse("is empty", "Call again with the text to append.");
  if (!content.isWellFormed()) {
    refuse("has half of a surrogate pair in it, which no file can hold", "Call again with whole characters.");
  }
}

function structureOf(text: string, parseYaml: ParseYaml): StructuredText {
  return readStructure(text, readFrontmatter(text, parseYaml).bodyStart);
}

function endOf(text: string): Place {
  return { at: text.length, apart: false };
}

function endOfSection(path: string, structure: StructuredText, section: string): Place {
  const { lines, text, linesBefore, prose } = structure;
  const range = findSection(structure, section);
  if (range === undefined) {
    const outline = structure.outline.map(({ level, text: title }) => `${"#".repeat(level)} ${title}`);
    throw new VaultError("SECTION_NOT_FOUND", { path, section, nearest: outline.slice(0, 100) });
  }
  if (range.others.length > 0) {
    throw new VaultError("SECTION_AMBIGUOUS", {
      path,
      section,
      lines: [range.first, ...range.others].slice(0, 10),
    });
  }
  let last = range.last;
  while (last > range.first && text.slice(lines[last - 1]?.start, lines[last - 1]?.end).trim() === "")
    last -= 1;
  const isBlock = blockIdOf(section) !== undefined;
  const firstLine = text.slice(lines[range.first - 1]?.start, lines[range.first - 1]?.end);
  // Behind a paragraph's block id the same paragraph would go on; items and rows have neighbours.
  const isParagraph =
    prose.kinds[range.first - linesBefore - 1] === "text" && !/^\s*(?:[-*+>|]|\d+[.)])/.test(firstLine);
  return { at: lines[last - 1]?.next ?? text.length, apart: isBlock && isParagraph };
}

/** The texts that an insertion could give: as it stands, then set apart by blank lines where Markdown needs it. */
function* candidates(text: string, { at, apart }: Place, content: string): Generator<string> {
  const ending = endingNear(text, at);
  const lines = ending === "\n" || content.includes("\r\n") ? content : content.replaceAll("\n", ending);
  const head = text.slice(0, at);
  const tail = text.slice(at);
  const open = head !== "" && !/[\r\n]$/.test(head) && head !== "\ufeff";
  // An underline would make a heading of the line above it.
  const underline = /^ {0,3}(?:=+|-+)[ \t]*(?:\r?\n|$)/.test(content) && /\S[ \t]*(?:\r?\n)?$/.test(head);
  const closed = /[\r\n]$/.test(lines);
  const final = closed || (tail === "" && (open || head === "" || head === "\ufeff")) ? "" : ending;
  const start = head + (open ? ending : "");
  const gap = apart || underline ? ending : "";
  if (tail === "") {
    yield start + gap + lines + final;
    yield start + ending + lines + final;
    return;
  }
  yield start + gap + lines + final + tail;
  yield start + gap + lines + final + ending + tail;
  yield start + ending + lines + final + ending + tail;
}

function endingNear(text: string, at: number): "\n" | "\r\n" {
  const before = text.lastIndexOf("\n", at - 1);
  const near = at > 0 && before >= 0 ? before : lineAt(text, 0).next - 1;
  return near > 0 && text[near] === "\n" && text[near - 1] === "\r" ? "\r\n" : "\n";
}

function outlineOf({ outline }: StructuredText): string[] {
  return outline.map(({ level, text }) => `${level} ${text}`);
}

/** Whether all of `before` is still there, in order. */
function isSuperset(after: readonly string[], before: readonly string[]): boolean {
  let found = 0;
  for (const heading of after) if (heading === before[found]) found += 1;
  return found === before.length;
}
