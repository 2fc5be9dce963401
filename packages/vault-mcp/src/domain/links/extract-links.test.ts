import { describe, expect, it } from "vitest";
import { findFrontmatter } from "../note/frontmatter.ts";
import { extractLinks } from "./extract-links.ts";

function linksOf(text: string) {
  return extractLinks(text, findFrontmatter(text)?.bodyStart ?? 0);
}

/** Each link as `kind path`, with its fragment. */
function brief(text: string): string[] {
  return linksOf(text).map(({ kind, path, heading, block }) => {
    const fragment = heading === undefined ? (block === undefined ? "" : `#^${block}`) : `#${heading}`;
    return `${kind} ${path}${fragment}`;
  });
}

describe("wikilinks", () => {
  it.each([
    ["[[a]]", ["wikilink a"]],
    ["![[a.png]]", ["embed a.png"]],
    ["[[a|b]] [[c#d|e]] [[f#^g]]", ["wikilink a", "wikilink c#d", "wikilink f#^g"]],
    ["[[a#b#c]]", ["wikilink a#b#c"]],
    ["[[#here]] [[#^block]]", ["wikilink #here", "wikilink #^block"]],
    ["[[ a b ]]", ["wikilink a b"]],
    ["[[Re: a]]", ["wikilink Re: a"]],
    [
      "[[v1.2]] [[a/b/c]] [[/root]] [[../up]]",
      ["wikilink v1.2", "wikilink a/b/c", "wikilink /root", "wikilink ../up"],
    ],
    ["[[a%20b]]", ["wikilink a%20b"]],
    ["[[b[1]]] [[[x]]]", ["wikilink b[1]", "wikilink x"]],
    ["[[a [[b]]", ["wikilink b"]],
    ["[[a]](b)", ["wikilink a"]],
    ["[see [[a]]](b)", ["wikilink a"]],
    ["[![[a.png]]](b)", ["markdown b", "embed a.png"]],
    ["**[[a]]** ==[[b]]== ~~[[c]]~~", ["wikilink a", "wikilink b", "wikilink c"]],
    ["[[é]] [[日本]] [[😀]]", ["wikilink é", "wikilink 日本", "wikilink 😀"]],
  ])("%s", (text, expected) => expect(brief(text)).toEqual(expected));

  it.each(["[[]]", "[[ ]]", "[[a\nb]]", "\\[[a]]", "[\\[a]]", "[[https://x.org/a]]", "[[|b]]", "[ [a]]"])(
    "%s is none",
    (text) => expect(brief(text)).toEqual([]),
  );

  it("tells what a reader sees, and the alias", () => {
    const [plain, aliased] = linksOf("[[a#b]] [[a|the *a*]]");
    expect([plain?.text, plain?.alias, aliased?.text, aliased?.alias]).toEqual([
      "a#b",
      undefined,
      "the *a*",
      "the *a*",
    ]);
  });

  it("takes an escaped pipe in a table, and a bare one", () => {
    const text = "| [[notes/foo\\|Foo]] | x |\n|---|---|\n| [[b|B]] | [[c]] |\n";
    expect(brief(text)).toEqual(["wikilink notes/foo", "wikilink b", "wikilink c"]);
    expect(linksOf(text).map(({ alias, escaped }) => [alias, escaped])).toEqual([
      ["Foo", true],
      ["B", false],
      [undefined, false],
    ]);
  });
});

describe("Markdown links", () => {
  it.each([
    ["[t](a.md)", ["markdown a.md"]],
    ['![t](a.png "title")', ["embed a.png"]],
    ["[t](b%5B1%5D.md) [u](<b[1].md>)", ["markdown b[1].md", "markdown b[1].md"]],
    ["[t](a%20b.md#some%20part) [u](<a b.md#^id>)", ["markdown a b.md#some part", "markdown a b.md#^id"]],
    ["[t](C%23.md) [u](100%.md)", ["markdown C#.md", "markdown 100%.md"]],
    ["[t](a%00b.md#c%00)", ["markdown a%00b.md#c%00"]],
    [
      "[t](a\\(1\\).md) [u](a(1).md) [v](a&amp;b.md)",
      ["markdown a(1).md", "markdown a(1).md", "markdown a&b.md"],
    ],
    ["[t](&#35;.md) [u](a&#x23;b.md#c)", ["markdown #.md", "markdown a#b.md#c"]],
    ["See [Bra\\]c](old.md)", ["markdown old.md"]],
    ["[t](#here)", ["markdown #here"]],
    ["[![i](i.png)](n.md)", ["markdown n.md", "embed i.png"]],
    ["[a][b]\n\n[b]: x.md", ["reference x.md"]],
    ["[b][] [B] ![b]\n\n[b]: <x y.md> 'T'", ["reference x y.md", "reference x y.md", "reference x y.md"]],
    ["> - [a](b)\n>   [c](d)", ["markdown b", "markdown d"]],
    ["# [a](b) #", ["markdown b"]],
    ["[a\n  b](c)", ["markdown c"]],
  ])("%s", (text, expected) => expect(brief(text)).toEqual(expected));

  it.each([
    "[t](https://x.org/a.md)",
    "[t](mailto:a@b.c)",
    "[t](obsidian://open?vault=v)",
    "[t](//host/a.md)",
    "[t]()",
    "<https://x.org/[a](b)>",
    "[t](a b.md)",
    "[a]",
    "[a][b]",
    "[a]\n\n[a]: https://x.org",
    "text[^1]\n\n[^1]: note",
    "[^1]\n\n[^1]: a.md",
  ])("%s is none", (text) => expect(brief(text)).toEqual([]));

  it("finds the links in a footnote's text", () => {
    expect(brief("a[^1]\n\n[^1]: see [[x]]\n\n    and [y](z)\n")).toEqual(["wikilink x", "markdown z"]);
  });
});

describe("what is no text", () => {
  it.each([
    ["a fence", "```\n[[no]] [no](no)\n```\n[[yes]]"],
    ["a fence of tildes in a list", "- ~~~\n  [[no]]\n  ~~~\n  [[yes]]"],
    ["a fence that its quote ends", "> ```\n> [[no]]\n\n[[yes]]"],
    ["an indented block", "a\n\n    [[no]]\n\n[[yes]]"],
    ["an indented block in a list", "- a\n\n      [[no]]\n\n  [[yes]]"],
    ["a code span", "`[[no]]` ``[no](`no`)`` [[yes]]"],
    ["a code span of two lines", "`[[no]]\n[[no]]` [[yes]]"],
    ["an HTML comment", "<!-- [[no]]\n\n[[no]] -->\n\n[[yes]]"],
    ["an HTML comment in a line", "a <!-- [[no]] --> [[yes]]"],
    ["a tag's attribute", '<a title="[[no]]">[[yes]]</a>'],
    ["a block of HTML", "<div>\n[[no]]\n</div>\n\n[[yes]]"],
    ["a comment", "%% [[no]] %% [[yes]]"],
    ["a comment of several paragraphs", "%%\n[[no]]\n\n[[no]]\n%%\n[[yes]]"],
    ["a comment with text behind", "%%\n[[no]]\n%% [[yes]]"],
    ["math", "$[[no]]$ costs $5 [[yes]] and $6"],
    ["a block of math", "$$\n[[no]]\n$$\n[[yes]]"],
    ["math in a line", "a $$[[no]]$$ [[yes]]"],
    ["a math block never closed", "$$ [[yes]]"],
    ["a comment never closed", "%% [[yes]]"],
  ])("has no links: %s", (_, text) => expect(brief(text)).toEqual(["wikilink yes"]));

  it("keeps the real one apart from those in code", () => {
    const text = "```\n[[old]]\n```\n`[[old]]` and [[old]]\n";
    expect(linksOf(text).map(({ range }) => range.start)).toEqual([text.lastIndexOf("[[old]]")]);
  });
});

describe("places", () => {
  it("tells each link's own characters, its target's and its path's", () => {
    const text =
      "\ufeff---\nup: x\n---\r\n> ![[a b#c|d]]\r\n> [t](<e f.md#g> 'T') [h][i]\r\n\r\n[i]: j%20k.md#l\r\n";
    const cut = ({ start, end }: { start: number; end: number }) => text.slice(start, end);
    const found = linksOf(text).map(({ range, target, pathRange, line }) => [
      cut(range),
      cut(target),
      cut(pathRange),
      line,
    ]);
    expect(found).toEqual([
      ["![[a b#c|d]]", "a b#c", "a b", 4],
      ["[t](<e f.md#g> 'T')", "e f.md#g", "e f.md", 5],
      ["[h][i]", "j%20k.md#l", "j%20k.md", 5],
    ]);
  });

  it("tells the style: pointy, encoded, escaped", () => {
    const styles = linksOf("[a](<b c>) [a](b%20c) [a](b\\(c) [a](b)").map((link) => [
      link.pointy,
      link.percentEncoded,
      link.escaped,
    ]);
    expect(styles).toEqual([
      [true, false, false],
      [false, true, false],
      [false, false, true],
      [false, false, false],
    ]);
  });
});

describe("frontmatter", () => {
  it("finds links in its texts, with the key", () => {
    const text = `---
up: "[[Home]]"
unquoted: [[No]]
related:
  - '[[it''s|x]]'
  - see [[plain]] # [[no]]
  - [label](other.md)
flow: ["[[q]]", {"[[no]]": r}]
nested:
  deep: "[[d\\u00e9]]"
text: |
  one [[block]]
after: '[a](b.md)'
# [[no]]
---
[[body]]
`;
    expect(linksOf(text).map(({ kind, key, path }) => `${kind} ${key} ${path}`)).toEqual([
      "frontmatter up Home",
      "frontmatter related it's",
      "frontmatter related plain",
      "frontmatter flow q",
      "frontmatter nested.deep dé",
      "frontmatter text block",
      "frontmatter after b.md",
      "wikilink undefined body",
    ]);
  });

  it("tells the places in quoted texts with escapes", () => {
    const text = "---\na: \"\\\"x\\\" [[b\\u00e9c#d]]\"\nb: 'it''s [[e''f]]'\n---\n";
    const cut = linksOf(text).map(({ pathRange, line, notation }) => [
      text.slice(pathRange.start, pathRange.end),
      line,
      notation,
    ]);
    expect(cut).toEqual([
      ["b\\u00e9c", 2, "yaml-double"],
      ["e''f", 3, "yaml-single"],
    ]);
  });
});

describe("long texts", () => {
  // The last column says how many links there are, [[end]] among them. Each would take minutes if its time grew with the square of its length.
  it.each([
    ["[", 300_000, 1],
    ["[[", 150_000, 1],
    ["![", 150_000, 1],
    ["[a](", 70_000, 1],
    ["[a](<b", 50_000, 1],
    ['[a](b "', 40_000, 1],
    ["[a](b '(", 30_000, 1],
    ["](", 150_000, 1],
    ["][a", 100_000, 1],
    ["`", 300_000, 0],
    ["[`", 150_000, 1],
    ["<a ", 100_000, 1],
    ["<a b='[", 40_000, 1],
    ["<!--[", 60_000, 0],
    ["$[", 150_000, 1],
    ["$$[", 100_000, 1],
    ["%%[", 100_000, 1],
    ["%%\n[", 70_000, 1],
    ["> ", 150_000, 1],
    ["- ", 150_000, 1],
    ["|[[a|", 60_000, 1],
    ["\\[", 150_000, 1],
    ["[a]: b\n", 40_000, 1],
    ["[[a]]", 60_000, 60_001],
    ["[a](b)", 50_000, 50_001],
    ["[a\n", 100_000, 1],
    ["- [\n\n", 60_000, 1],
  ])("reads %j many times", (part, times, links) => {
    expect(linksOf(`${part.repeat(times)}\n\n[[end]]`)).toHaveLength(links);
  });

  it.each([
    ["a ", 200_000],
    ["a: [", 100_000],
    ["\n- '", 100_000],
    ['\nb: "[[x', 50_000],
    ["\na : |\n  [[x", 30_000],
    ["\n  c:", 50_000],
  ])("reads frontmatter of %j many times", (part, times) => {
    expect(linksOf(`---\n[${part.repeat(times)}\n---\n[[end]]`).at(-1)?.path).toBe("end");
    expect(linksOf(`---\nk: '[]'\n${part.repeat(times)}\n---\n[[end]]`).at(-1)?.path).toBe("end");
  });

  it("reads many openings before many ends", () => {
    expect(brief(`${"[".repeat(150_000)}${"]".repeat(150_000)}`)).toEqual([]);
    expect(linksOf(`${"[".repeat(150_000)}${"[a](b)".repeat(50_000)}`)).toHaveLength(50_000);
    expect(linksOf(`${"- ".repeat(50_000)}${"\n".repeat(100_000)}[[a]]`)).toHaveLength(1);
  });
});
