import { describe, expect, it } from "vitest";
import { findFrontmatter } from "../frontmatter.ts";
import { extractLinks } from "./extract-links.ts";

function linksOf(text: string) {
  return extractLinks(text, findFrontmatter(text)?.bodyStart ?? 0);
}
const brief = (text: string) => linksOf(text).map(({ kind, path }) => `${kind} ${path}`);

describe("extractLinks", () => {
  it("prints", () => {
    const text =
      '---\nup: [[Home]]\nx: "[[a|b]]"\nl:\n  - \'[[it\'\'s]]\'\n  - see [[p]] # [[no]]\nf: ["[[q]]", r]\nb: |\n  t [[s]]\n---\n# H [a](b) #\n\n- ![[img.png|100]] [x](<a b.md#h> "t")\n  1. `[[no]]` [t][d]\n\n| [[n\\|m]] | b |\n|---|---|\n| ![](i.png) | \\[no](x) |\n\n[d]: ./foo%20bar.md#^id\n[^1]: [[fn]]\n';
    for (const l of linksOf(text))
      console.log(
        JSON.stringify(l),
        text.slice(l.range.start, l.range.end),
        "|",
        text.slice(l.target.start, l.target.end),
        "|",
        text.slice(l.pathRange.start, l.pathRange.end),
      );
    expect(brief("[[a]]")).toEqual(["wikilink a"]);
  });
});
