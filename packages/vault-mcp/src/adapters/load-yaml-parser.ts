import type { ParseYaml } from "../domain/note/frontmatter.ts";

/** The parser of frontmatter, whose libraries are loaded with its first use. */
export async function loadYamlParser(): Promise<ParseYaml> {
  const { createYamlParser } = await import("./yaml-frontmatter.ts");
  return createYamlParser();
}
