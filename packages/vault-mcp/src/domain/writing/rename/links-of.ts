import { canvasLinks } from "../../links/canvas-links.ts";
import { extractLinks } from "../../links/extract-links.ts";
import type { Link } from "../../links/link.ts";
import { noteExtensionOf } from "../../links/link-path.ts";
import { type ParseYaml, readFrontmatter } from "../../note/frontmatter.ts";
import { extensionOf } from "../../visibility.ts";

/** Whether a file can hold links into the vault. */
export function holdsLinks(path: string): boolean {
  return noteExtensionOf(path) !== "" || extensionOf(path).toLowerCase() === "canvas";
}

/** The links of a file's text. */
export function linksOf(path: string, text: string, parseYaml: ParseYaml): readonly Link[] {
  if (extensionOf(path).toLowerCase() === "canvas") return canvasLinks(text).links;
  return extractLinks(text, readFrontmatter(text, parseYaml).bodyStart);
}
