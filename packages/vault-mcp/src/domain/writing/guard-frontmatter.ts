import { VaultError } from "../errors.ts";
import { type ParseYaml, readFrontmatter } from "../note/frontmatter.ts";

/**
 * Refuses a write that would make frontmatter unreadable that could be read before.
 *
 * @param before undefined for a new note.
 * @throws VaultError FRONTMATTER_BROKEN
 */
export function guardFrontmatter(
  path: string,
  before: string | undefined,
  after: string,
  parseYaml: ParseYaml,
): void {
  const { error } = readFrontmatter(after, parseYaml);
  if (error === undefined) return;
  if (before !== undefined && readFrontmatter(before, parseYaml).error !== undefined) return;
  throw new VaultError("FRONTMATTER_BROKEN", {
    path,
    line: error.line,
    reason: error.message,
    before: false,
  });
}
