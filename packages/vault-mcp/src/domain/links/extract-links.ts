import { type Blocks, readBlocks } from "../markdown/read-blocks.ts";
import { splitLines } from "../note/text-lines.ts";
import { frontmatterLinks } from "./frontmatter-links.ts";
import { lineCounter } from "./line-counter.ts";
import type { Link } from "./link.ts";
import { textLinks } from "./text-links.ts";

/**
 * The links of a note into the vault, in the order of the text: wikilinks, embeds, Markdown links and images, also by
 * reference, and those in the values of frontmatter. None in code, comments, math and HTML; no addresses, no footnotes.
 *
 * @param bodyStart where the body begins, in UTF-16 units; what lies before is frontmatter.
 * @param blocks those of the body, where they are known.
 */
export function extractLinks(text: string, bodyStart: number, blocks?: Blocks): Link[] {
  const before = bodyStart > 0 ? text.slice(0, bodyStart) : "";
  const lineOf = lineCounter(text);
  const own = before.includes("[") ? frontmatterLinks(before, lineOf) : [];
  if (!text.includes("[", bodyStart)) return own;
  const { texts, definitions } = blocks ?? readBlocks(text, splitLines(text, bodyStart));
  const links = texts.flatMap((mapped) => textLinks(mapped, { definitions, notation: "markdown", lineOf }));
  return [...own, ...links.sort((a, b) => a.range.start - b.range.start || b.range.end - a.range.end)];
}
