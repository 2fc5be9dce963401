import { type ParseError, type ParseYaml, readFrontmatter } from "./frontmatter.ts";
import { findHeadings } from "./headings.ts";
import type { JsonObject } from "./json.ts";
import { readProse } from "./prose.ts";
import { frontmatterTags, inlineTags, unique } from "./tags.ts";

/** What a note's text says about it. */
export interface NoteFacts {
  readonly title: string;
  readonly frontmatter: JsonObject;
  readonly tags: readonly string[];
  /** Characters of the body. */
  readonly contentChars: number;
  readonly parseError: ParseError | undefined;
}

/** A file's text: UTF-8, or read as Latin-1 where it is not; `badLine` is then the first line that is no UTF-8. */
export interface DecodedText {
  readonly text: string;
  readonly badLine: number | undefined;
}

/** The last name of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function titleOf(path: string, frontmatter: JsonObject, firstHeading: string | undefined): string {
  const { title } = frontmatter;
  const given = typeof title === "string" || typeof title === "number" ? String(title).trim() : "";
  if (given !== "") return given;
  return firstHeading || nameOf(path).replace(/\.[^.]*$/, "");
}

/** Reads a note: frontmatter, title (frontmatter, else first H1, else file name), tags, size of the body. */
export function readNote(path: string, { text, badLine }: DecodedText, parseYaml: ParseYaml): NoteFacts {
  const read = readFrontmatter(text, parseYaml);
  const isText = badLine === undefined;
  const frontmatter = isText ? read.data : {};
  const prose = readProse(text, read.bodyStart);
  const firstHeading = findHeadings(prose).find(({ level }) => level === 1)?.text;
  return {
    title: titleOf(path, frontmatter, firstHeading),
    frontmatter,
    tags: unique([...frontmatterTags(frontmatter), ...inlineTags(prose)]),
    contentChars: countCharacters(text, read.bodyStart),
    parseError: isText ? read.error : { line: badLine, message: "is not UTF-8 text" },
  };
}

function countCharacters(text: string, from: number): number {
  const pairs = text.slice(from).match(/[\ud800-\udbff][\udc00-\udfff]/g);
  return text.length - from - (pairs?.length ?? 0);
}
