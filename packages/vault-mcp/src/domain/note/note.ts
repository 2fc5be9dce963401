import type { JsonObject } from "../json.ts";
import type { ParseError, ReadFrontmatter } from "./frontmatter.ts";
import type { Heading } from "./headings.ts";
import type { Prose } from "./prose.ts";
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

/** What a note's text says about it: title (frontmatter, else first H1, else file name), tags, size of the body. */
export function noteFacts(
  path: string,
  { badLine }: DecodedText,
  read: ReadFrontmatter,
  prose: Prose,
  headings: readonly Heading[],
): NoteFacts {
  const isText = badLine === undefined;
  const frontmatter = isText ? read.data : {};
  const firstHeading = headings.find(({ level }) => level === 1)?.text;
  return {
    title: titleOf(path, frontmatter, firstHeading),
    frontmatter,
    tags: unique([...frontmatterTags(frontmatter), ...inlineTags(prose)]),
    contentChars: countCharacters(prose.text, read.bodyStart),
    parseError: isText ? read.error : { line: badLine, message: "is not UTF-8 text" },
  };
}

function countCharacters(text: string, from: number): number {
  const pairs = text.slice(from).match(/[\ud800-\udbff][\udc00-\udfff]/g);
  return text.length - from - (pairs?.length ?? 0);
}
