import type { Prose } from "./prose.ts";

/** A heading: its text without marks, its level (1–6), and the index of its first line in the body. */
export interface Heading {
  readonly text: string;
  readonly level: number;
  readonly index: number;
}

/** Lines that are no paragraph, so that a line of `-` or `=` below them makes no heading. */
const container = /^ {0,3}(?:>|\||(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$))/;
const rule = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$/;

/** The headings of a body in order: `# one` and underlined ones; none in code and comments. */
export function findHeadings({ text, lines, kinds }: Prose): Heading[] {
  const headings: Heading[] = [];
  /** First line of the paragraph that goes on; of a list item, quote or table where it cannot be a heading. */
  let paragraph: { readonly index: number; readonly contained: boolean } | undefined;
  for (const [index, { start, end }] of lines.entries()) {
    const line = kinds[index] === "text" ? text.slice(start, end) : "";
    const heading = line === "" ? undefined : readAtx(line);
    if (heading !== undefined) {
      headings.push({ ...heading, index });
      paragraph = undefined;
    } else if (line === "") {
      paragraph = undefined;
    } else if (paragraph?.contained === false && /^ {0,3}(?:=+|-+)[ \t]*$/.test(line)) {
      const title = text.slice(lines[paragraph.index]?.start, lines[index - 1]?.end);
      const level = line.includes("=") ? 1 : 2;
      headings.push({ text: title.replace(/[\r\n]+/g, " ").trim(), level, index: paragraph.index });
      paragraph = undefined;
    } else if (rule.test(line)) {
      paragraph = undefined;
    } else if (container.test(line)) {
      paragraph = { index, contained: true };
    } else {
      paragraph ??= { index, contained: false };
    }
  }
  return headings;
}

/** `## text ##`: the text and its level. */
function readAtx(line: string): { text: string; level: number } | undefined {
  const opening = /^ {0,3}(#{1,6})(?=[ \t]|$)/.exec(line);
  if (opening === null) return undefined;
  const text = line.slice(opening[0].length).trim();
  let end = text.length;
  while (text[end - 1] === "#") end -= 1;
  const closed = end === 0 || text[end - 1] === " " || text[end - 1] === "\t";
  return { text: closed ? text.slice(0, end).trim() : text, level: opening[1]?.length ?? 1 };
}
