import { aliasesOf } from "../../note/aliases.ts";
import { type ParseYaml, readFrontmatter } from "../../note/frontmatter.ts";
import type { RenameFiles, ScannedFile } from "./rename-files.ts";
import type { LinkedFiles } from "./rename-planner.ts";

/**
 * The vault's files and the aliases of its notes, from the texts themselves.
 *
 * @param step is called for each file.
 */
export async function readLinkedFiles(
  files: RenameFiles,
  scanned: readonly ScannedFile[],
  parseYaml: ParseYaml,
  step: () => void,
): Promise<LinkedFiles> {
  const aliases = new Map<string, readonly string[]>();
  for (const { path, kind } of scanned) {
    if (kind !== "note") continue;
    step();
    const text = (await files.readContent(path))?.toString("utf8") ?? "";
    if (!/^\ufeff?---/.test(text) || !text.includes("alias")) continue;
    const names = aliasesOf(readFrontmatter(text, parseYaml).data);
    if (names.length > 0) aliases.set(path, names);
  }
  return { files: scanned.map(({ path }) => path), aliases };
}
