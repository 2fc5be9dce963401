import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSections } from "./find-sections.ts";
import { parseSearch } from "./parse-search.ts";

const sections = (text: string, query: string, chars = 300, prefixes = false) =>
  findSections(text, 0, { kind: "terms", terms: parseSearch(query).wanted, prefixes }, chars);
const literal = (text: string, wanted: string, chars = 300) =>
  findSections(text, 0, { kind: "literal", text: wanted }, chars);

const note = `# Garden

Intro about soil.

## Beds

Bed one has clay soil.
Bed two has sand.

### Slugs

Beer traps against slugs.

## Tools

A spade.
`;

describe("sections of a hit", () => {
  it("gives heading, line and marked words", () => {
    expect(sections(note, "clay")).toEqual([
      {
        heading: "Garden > Beds",
        line: 7,
        snippet: "## Beds Bed one has <mark>clay</mark> soil. Bed two has sand.",
      },
    ]);
  });

  it("gives up to three, those with most terms, in the order of the text", () => {
    expect(sections(note, "soil bed").map(({ heading }) => heading)).toEqual(["Garden", "Garden > Beds"]);
    const many = Array.from({ length: 9 }, (_, index) => `## H${index}\n\nx ${index === 7 ? "y x" : ""}\n`);
    expect(sections(many.join("\n"), "x y").map(({ heading }) => heading)).toEqual(["H0", "H1", "H7"]);
  });

  it("counts lines of the file, frontmatter included", () => {
    const text = `---\na: clay\n---\nOne\r\n\r\nclay`;
    expect(
      findSections(text, 16, { kind: "terms", terms: parseSearch("clay").wanted, prefixes: false }, 300),
    ).toEqual([{ heading: undefined, line: 6, snippet: "One <mark>clay</mark>" }]);
  });

  it("marks phrases, prefixes, accents and pairs of characters", () => {
    expect(sections("a file-back b", '"file back"')[0]?.snippet).toBe("a <mark>file-back</mark> b");
    expect(sections("notes", "note", 300, true)[0]?.snippet).toBe("<mark>notes</mark>");
    expect(sections("Crème brûlée", "BRULEE")[0]?.snippet).toBe("Crème <mark>brûlée</mark>");
    expect(sections("これは日本語です", "日本語")[0]?.snippet).toBe("これは<mark>日本語</mark>です");
    expect(sections("植物メモ", "モ")[0]?.snippet).toBe("植物メ<mark>モ</mark>");
  });

  it("finds a text as it stands", () => {
    const text = "- [x] done\n- [ ] todo: C++ and TODO: more";
    expect(literal(text, "- [ ]")).toEqual([
      { heading: undefined, line: 2, snippet: "- [x] done <mark>- [ ]</mark> todo: C++ and TODO: more" },
    ]);
    expect(literal(text, "C++")[0]?.snippet).toContain("<mark>C++</mark>");
    expect(literal("straße ﬁn Café", "café")[0]?.snippet).toBe("straße ﬁn <mark>Café</mark>");
  });

  it("shows the place in the frontmatter where only that answers", () => {
    const text = "---\ntitle: T\ndirector:\n  - Ridley Scott\n---\nBody";
    const wanted = { kind: "terms", terms: parseSearch("scott").wanted, prefixes: false } as const;
    expect(findSections(text, text.indexOf("Body"), wanted, 300)).toEqual([
      { heading: undefined, line: 4, snippet: "title: T director: - Ridley <mark>Scott</mark>" },
    ]);
  });

  it("shows the beginning where only the title answers", () => {
    expect(sections("\n\nFirst words.\n", "nothing")).toEqual([
      { heading: undefined, line: 3, snippet: "First words." },
    ]);
    expect(sections("", "nothing")).toEqual([]);
  });

  it("cuts between words, and says where", () => {
    const text = `${"before ".repeat(100)}key ${"after ".repeat(100)}`;
    const [section] = sections(text, "key", 60);
    expect(section?.snippet).toMatch(/^…(?:before )+<mark>key<\/mark>(?: after)+…$/);
    expect(section?.snippet.length).toBeLessThan(60 + 15 + 2);
  });

  it("never cuts inside a character", () => {
    const text = `${"🛠️".repeat(200)}key${"🛠️".repeat(200)}`;
    fc.assert(
      fc.property(fc.integer({ min: 20, max: 400 }), (chars) => {
        const [section] = sections(text, "key", chars);
        expect(section?.snippet.isWellFormed()).toBe(true);
        expect(section?.snippet).not.toContain("\ufffd");
        expect(section?.snippet).toContain("<mark>key</mark>");
      }),
    );
  });

  it("is quick on a long line without spaces and on many places", () => {
    expect(sections("x".repeat(2_000_000), "y")).toHaveLength(1);
    expect(sections("x ".repeat(500_000), "x")).toHaveLength(1);
  });
});
