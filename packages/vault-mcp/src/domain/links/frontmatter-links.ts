import { lineAt } from "../note/text-lines.ts";
import type { Link } from "./link.ts";
import { textLinks } from "./text-links.ts";
import { yamlTexts } from "./yaml-texts.ts";

const noDefinitions = new Map();

/** The links in the values of a note's frontmatter; `block` begins the note and holds both `---` lines. */
export function frontmatterLinks(block: string, lineOf: (at: number) => number): Link[] {
  const opening = lineAt(block, block.startsWith("\ufeff") ? 1 : 0);
  const closing = Math.max(block.lastIndexOf("\n---"), block.lastIndexOf("\r---"));
  return yamlTexts(block, opening.next, closing < 0 ? block.length : closing + 1).flatMap((found) =>
    textLinks(found.mapped, {
      definitions: noDefinitions,
      notation: found.notation,
      lineOf,
      kind: "frontmatter",
      key: found.key,
    }),
  );
}
