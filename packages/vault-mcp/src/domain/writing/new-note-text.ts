import { VaultError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { findFrontmatter, readFrontmatter } from "../note/frontmatter.ts";
import { isReadable, printEntry, styles, type YamlTools } from "./edit-frontmatter.ts";
import { equalJson } from "./equal-json.ts";

/**
 * The text of a whole note from its content and, apart from it, its frontmatter. Without keys the content is the
 * text; a block in the content and keys beside it exclude each other.
 *
 * @throws VaultError INVALID_ARGUMENT, FRONTMATTER_NOT_EDITABLE for a value that could not be read back.
 */
export function noteText(
  path: string,
  content: string,
  frontmatter: JsonObject | undefined,
  yaml: YamlTools,
): string {
  const refuse = (problem: string, next: string) => {
    throw new VaultError("INVALID_ARGUMENT", { argument: "content", problem, next });
  };
  if (!content.isWellFormed()) {
    refuse("has half of a surrogate pair in it, which no file can hold", "Call again with whole characters.");
  }
  if (frontmatter === undefined || Object.keys(frontmatter).length === 0) return content;
  if (findFrontmatter(content) !== undefined) {
    refuse(
      "begins with a frontmatter block, and frontmatter was given too",
      "Call again with the block in content alone, or with frontmatter and content without a block.",
    );
  }
  const mark = content.startsWith("\ufeff") ? "\ufeff" : "";
  const body = content.slice(mark.length);
  const ending = /^[^\n]*\r\n/.test(body) ? "\r\n" : "\n";
  for (const pick of styles({ entries: [], indent: 0 }, undefined).keys()) {
    const text = `${mark}---${ending}${printEntries(frontmatter, pick, ending)}---${ending}${body}`;
    const { data, bodyStart, error } = readFrontmatter(text, yaml.parse);
    const isRight = error === undefined && equalJson(data, frontmatter) && text.slice(bodyStart) === body;
    if (isRight && isReadable(text, yaml)) return text;
  }
  throw new VaultError("FRONTMATTER_NOT_EDITABLE", {
    path,
    reason: "a key or value could not be read back as it is",
  });
}

function printEntries(frontmatter: JsonObject, pick: number, ending: string): string {
  const style = styles({ entries: [], indent: 0 }, undefined)[pick];
  if (style === undefined) return "";
  return Object.entries(frontmatter)
    .map(([key, value]) => printEntry(key, value, style, ending))
    .join("");
}
