import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { type Line, lineAt } from "./text-lines.ts";

/** What stands between the two `---` lines at the very start of a note. */
export interface FrontmatterBlock {
  readonly yaml: string;
  /** Where the body begins, in UTF-16 units of the whole text. */
  readonly bodyStart: number;
}

/** Where and why a note's frontmatter cannot be read; `line` counts from 1 in the file. */
export interface ParseError {
  readonly line: number;
  readonly message: string;
}

/** Reads a block's YAML; values are as written. `line` in an error counts from 1 in the block. */
export type ParseYaml = (yaml: string) => { readonly value: Json } | { readonly error: ParseError };

export interface ReadFrontmatter {
  readonly data: JsonObject;
  readonly bodyStart: number;
  readonly error: ParseError | undefined;
}

const byteOrderMark = "\ufeff";

function isFence(text: string, { start, end }: Line): boolean {
  return /^---[ \t]*$/.test(text.slice(start, Math.min(end, start + 100)));
}

/** The block, where the text begins with one that is closed; a byte order mark before it does no harm. */
export function findFrontmatter(text: string): FrontmatterBlock | undefined {
  const opening = lineAt(text, text.startsWith(byteOrderMark) ? 1 : 0);
  if (!text.startsWith("---", opening.start) || !isFence(text, opening)) return undefined;
  for (let line = lineAt(text, opening.next); line.start < text.length; line = lineAt(text, line.next)) {
    if (text.startsWith("---", line.start) && isFence(text, line)) {
      return { yaml: text.slice(opening.next, line.start), bodyStart: line.next };
    }
  }
  return undefined;
}

/**
 * The frontmatter of a note's text. A block that is not closed, or is no mapping, is body; an empty one is an empty
 * mapping. Of a block that does not parse the data is empty and the body is what follows it.
 */
export function readFrontmatter(text: string, parseYaml: ParseYaml): ReadFrontmatter {
  const bodyAlone = { data: {}, bodyStart: text.startsWith(byteOrderMark) ? 1 : 0, error: undefined };
  const block = findFrontmatter(text);
  if (block === undefined) return bodyAlone;
  const { bodyStart } = block;
  const parsed = parseYaml(block.yaml);
  if ("error" in parsed) {
    const { line, message } = parsed.error;
    return { data: {}, bodyStart, error: { line: line + 1, message } };
  }
  if (parsed.value === null) return { data: {}, bodyStart, error: undefined };
  return isJsonObject(parsed.value) ? { data: parsed.value, bodyStart, error: undefined } : bodyAlone;
}
