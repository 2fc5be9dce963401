import { type Node, Parser } from "commonmark";
import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFootnote } from "micromark-extension-gfm-footnote";
import { gfmTable } from "micromark-extension-gfm-table";
import { expect, it } from "vitest";
import { findLinks } from "./find-links.ts";
import { normalizeLabel } from "./link-syntax.ts";
import { sourceRange } from "./mapped-text.ts";
import { readBlocks } from "./read-blocks.ts";
import { unescapeMarkdown } from "./unescape.ts";

type Tree = ReturnType<typeof fromMarkdown>;
type TreeNode = Tree | Tree["children"][number];

const runs = Number(process.env.COMMONMARK_RUNS ?? 1500);

/** Each link as `start-end image? destination`, in the order of the text. */
function ours(text: string): string[] {
  const { texts, definitions } = readBlocks(text);
  const found = texts.flatMap((mapped) =>
    findLinks(mapped.text, (label) => definitions.has(label)).map((link) => {
      const { start, end } = sourceRange(mapped, link);
      if (link.to === "wikilink") throw new Error("a wikilink in an arrangement without any");
      const raw =
        "label" in link.to
          ? definitions.get(link.to.label)?.raw
          : mapped.text.slice(link.to.destination.start, link.to.destination.end);
      return { start, end, image: link.image, url: unescapeMarkdown(raw ?? "") };
    }),
  );
  return spell(found);
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly image: boolean;
  readonly url: string;
}

function spell(found: Found[]): string[] {
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  return found.map(({ start, end, image, url }) => `${start}-${end} ${image ? "!" : ""}${url}`);
}

/** The same by mdast-util-from-markdown; autolinks, which begin with `<`, left out. */
function reference(text: string, extensions = [gfmTable(), gfmFootnote()]): string[] {
  const found: Found[] = [];
  const urls = new Map<string, string>();
  const visit = (node: TreeNode, use: (node: TreeNode) => void) => {
    use(node);
    if ("children" in node) for (const child of node.children) visit(child, use);
  };
  const tree = fromMarkdown(text, { extensions });
  visit(tree, (node) => {
    if (node.type !== "definition") return;
    const name = normalizeLabel(node.label ?? "");
    if (!urls.has(name)) urls.set(name, node.url);
  });
  visit(tree, (node) => {
    const start = node.position?.start.offset ?? 0;
    const end = node.position?.end.offset ?? 0;
    if ((node.type === "link" && text[start] !== "<") || node.type === "image") {
      found.push({ start, end, image: node.type === "image", url: node.url });
    } else if (node.type === "linkReference" || node.type === "imageReference") {
      const url = urls.get(normalizeLabel(node.label ?? "")) ?? "";
      found.push({ start, end, image: node.type === "imageReference", url });
    }
  });
  return spell(found);
}

/** The destinations of links and images by commonmark.js, which tells no places. */
function destinations(text: string): string[] {
  const found: string[] = [];
  const walker = new Parser().parse(text).walker();
  for (let event = walker.next(); event !== null; event = walker.next()) {
    const { node, entering } = event;
    if (entering && (node.type === "link" || node.type === "image") && !isInImage(node)) {
      found.push(`${node.type === "image" ? "!" : ""}${decodeURI(node.destination ?? "")}`);
    }
  }
  return found.filter((url) => !/^(?:http:\/\/x|mailto:)/.test(url));
}

function isInImage(node: Node): boolean {
  for (let parent = node.parent; parent !== null; parent = parent.parent)
    if (parent.type === "image") return true;
  return false;
}

function withoutPlaces(found: string[]): string[] {
  return found.map((line) => line.replace(/^\S+ /, "")).filter((url) => !/^(?:http:\/\/x|mailto:)/.test(url));
}

const inline = [
  ..."[]()<>`*_!abc ".split(""),
  ..."![ ]( ][ [] ](/u) ](< > \\ `` <b> </b> <!-- --> <? ?> ** /u &amp; &#35; \\[ \\] \\` \\( [a](/u) [a] [b] [a][b]".split(
    " ",
  ),
  ...[
    "\n",
    "\n",
    "  ",
    "\t",
    '"',
    "'",
    ' "t"',
    " 't'",
    " (t)",
    '<a b="',
    "<http://x>",
    "<m@x.y>",
    "![a](<x y>)",
  ],
];
const starts =
  "\n|\n\n|\n> |\n>|\n- |\n* |\n1. |\n2) |\n  |\n    |\n\t|\n# |\n## |\n```|\n````|\n~~~|\n---|\n===|\n***|\n<div>|\n</div>|\n<pre>|\n</pre>|\n<!-- |\n<x>\n|\n[a]: /u|\n[b]: <x y> 'T'|\n[a]:\n|\n[c\\]]: (u)|\n- \n|\n   |\n > |\n>> |\n- a\n  - |\n10. ".split(
    "|",
  );
const pipes = [
  "|",
  " | ",
  "\n| ",
  "|\n",
  "\n|---|",
  "\n|-|-|",
  "\n| - | :-: |\n",
  "\\|",
  "\n---|---\n",
  "\n:-\n",
];

/**
 * Where commonmark.js cannot be asked, micromark's own ways are left out: a tag alone on a line is HTML to it, `[a][` never a
 * link, and behind an empty list item there are no definitions.
 */
function isSettled(text: string): boolean {
  return (
    !/>[ \t]*(?:\n|$)/.test(text) &&
    !/\]\[(?![^[\]]*\])/.test(text) &&
    !/(?:[-*+]|\d[.)])[ \t]*(?:\n|$)/.test(text)
  );
}

function arrangement(tokens: readonly string[]) {
  return fc
    .array(fc.constantFrom(...tokens), { maxLength: 24 })
    .map((parts) => parts.join(""))
    .filter((text) => !/\[\[[^\n]*\]\]/.test(text) && !/\[\^/.test(text));
}

/**
 * The links are those of micromark, places and all; where commonmark.js, the specification's own, has others (micromark has
 * its own mind about empty list items, lazy lines of HTML and `[a][`; commonmark.js about tabs), they may be its.
 */
function compare(text: string): void {
  const found = ours(text);
  const expected = reference(text);
  const settled = destinations(text);
  const agree = withoutPlaces(expected).join("\n") === settled.join("\n");
  if (agree || found.join("\n") === expected.join("\n")) expect(found).toEqual(expected);
  else expect(withoutPlaces(found)).toEqual(settled);
}

/** commonmark.js knows no tables: where they make a difference, the links are those of micromark. */
function compareTables(text: string): void {
  const expected = reference(text);
  if (expected.join("\n") === reference(text, []).join("\n")) compare(text);
  else expect(ours(text)).toEqual(expected);
}

it("finds the Markdown links of inline arrangements", () => {
  fc.assert(fc.property(arrangement(inline), compare), { numRuns: runs });
});

it("finds the Markdown links of arrangements of blocks", () => {
  fc.assert(fc.property(arrangement([...inline, ...starts, ...starts]), compare), { numRuns: runs });
});

it("finds the Markdown links of arrangements with tables", () => {
  const tokens = [...inline, ...starts, ...pipes, ...pipes, ...pipes];
  fc.assert(fc.property(arrangement(tokens).filter(isSettled), compareTables), { numRuns: runs });
});
