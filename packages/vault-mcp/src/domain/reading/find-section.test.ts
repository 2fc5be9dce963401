import { describe, expect, it } from "vitest";
import { readStructure } from "../note/outline.ts";
import { findSection } from "./find-section.ts";

function linesOf(text: string, name: string): string | undefined {
  const structure = readStructure(text, 0);
  const range = findSection(structure, name);
  if (range === undefined) return undefined;
  return structure.lines
    .slice(range.first - 1, range.last)
    .map(({ start, end }) => text.slice(start, end))
    .join("\n");
}

describe("outline", () => {
  const outline = (text: string) =>
    readStructure(text, 0).outline.map(({ level, text: title, line }) => [level, title, line]);

  it.each([
    [
      "marks",
      "# A\n## B ##\n### C#\n####### no\n#no\n#\t D",
      [
        [1, "A", 1],
        [2, "B", 2],
        [3, "C#", 3],
        [1, "D", 6],
      ],
    ],
    [
      "empty headings",
      "#\n## ##\n",
      [
        [1, "", 1],
        [2, "", 2],
      ],
    ],
    [
      "underlines",
      "A\n===\n\nB\nb\n---\n",
      [
        [1, "A", 1],
        [2, "B b", 4],
      ],
    ],
    [
      "CRLF",
      "# A\r\n\r\nB\r\n---\r\n",
      [
        [1, "A", 1],
        [2, "B", 3],
      ],
    ],
    ["fences", "```\n# no\n```\n# yes\n~~~\n# no\n", [[1, "yes", 4]]],
    ["comments", "<!--\n# no\n-->\n# yes", [[1, "yes", 4]]],
    ["rules and items above a line of dashes", "- item\n---\n\n> q\n---\n\n---\n\ntext\n\n---\n", []],
    ["a table", "| a |\n---\n", []],
    ["lines that go on with an item", "- item\nmore\n---\n", []],
    ["up to three spaces", "   # A\n    # code\n", [[1, "A", 1]]],
  ])("%s", (_what, text, expected) => {
    expect(outline(text)).toEqual(expected);
  });

  it("takes no long time over a heading of spaces", () => {
    expect(outline(`# ${" ".repeat(200_000)}x${" #".repeat(100_000)}`)).toHaveLength(1);
  });
});

describe("findSection", () => {
  const text = "# T\nt\n## A\na\n### A1\nx\n## B\nb\n### A1\ny\n# U\n## A\nz\n";

  it.each([
    ["A", "## A\na\n### A1\nx"],
    ["## A", "## A\na\n### A1\nx"],
    ["# A", undefined],
    ["a", "## A\na\n### A1\nx"],
    ["T > A", "## A\na\n### A1\nx"],
    ["U > A", "## A\nz"],
    ["B > A1", "### A1\ny"],
    ["T > A > A1", "### A1\nx"],
    ["# T > ## B > ### A1", "### A1\ny"],
    ["T > A1", "### A1\nx"],
    ["U > B", undefined],
    ["#A", "## A\na\n### A1\nx"],
    ["nothing", undefined],
    ["U#A", "## A\nz"],
    ["#B#A1", "### A1\ny"],
    ["#U#B", undefined],
    ["T", "# T\nt\n## A\na\n### A1\nx\n## B\nb\n### A1\ny"],
  ])("%s", (name, expected) => {
    expect(linesOf(text, name)).toBe(expected);
  });

  it("finds headings with emoji, HTML, links and marks of its own syntax in them", () => {
    for (const title of ["📝| <b>Notes:</b>", "a > b", "[x](y.md)", "#tag", "C#"]) {
      for (const name of [title, `## ${title}`])
        expect(linesOf(`## ${title}\nbody\n`, name)).toBe(`## ${title}\nbody`);
    }
  });

  it("understands names as links have them", () => {
    const note = "## A & *B* [here](x.md)\nbody\n## Über C#\nmore\n";
    for (const name of ["a--b-here", "A B here", "#A & B here"])
      expect(linesOf(note, name)).toBe("## A & *B* [here](x.md)\nbody");
    expect(linesOf(note, "über-c")).toBe("## Über C#\nmore");
    expect(linesOf(note, "a--b-there")).toBeUndefined();
  });

  it("says which other sections have the name", () => {
    expect(findSection(readStructure(text, 0), "A1")?.others).toEqual([9]);
  });

  it.each([
    ["a paragraph", "one\n\ntwo\nthree ^id\n\nfour", "two\nthree ^id"],
    ["a list item with what is below it", "- a\n- b ^id\n  - c\n- d", "- b ^id\n  - c"],
    ["a row of a table", "| a ^id | b |\n| c | d |\n", "| a ^id | b |"],
    ["the block before an id alone", "- a\n- b\n\n^id\n\nx", "- a\n- b\n\n^id"],
    ["not in code", "`x ^id`\n\n```\ny ^id\n```\nz ^id", "z ^id"],
  ])("finds a block: %s", (_what, body, expected) => {
    for (const name of ["^id", "#^id"]) expect(linesOf(body, name)).toBe(expected);
  });

  it("does not take a part of an id for it", () => {
    expect(linesOf("a ^id2\nb^id\n", "^id")).toBeUndefined();
  });
});
