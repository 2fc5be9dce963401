import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { VaultError } from "../errors.ts";
import type { ParseYaml } from "../note/frontmatter.ts";
import { appendText } from "./append-text.ts";

/** Frontmatter of one level is enough here. */
const parseYaml: ParseYaml = (yaml) => ({
  value: Object.fromEntries(
    yaml
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split(": ")),
  ),
});
const append = (text: string, content: string, section?: string) =>
  appendText("n.md", text, content, section, parseYaml);

function failure(run: () => unknown) {
  try {
    run();
  } catch (error) {
    if (error instanceof VaultError) return { code: error.code, ...error.details };
    throw error;
  }
  throw new Error("did not fail");
}

describe("appendText at the end of a note", () => {
  it("begins on a line of its own and keeps the final newline or its absence", () => {
    expect(append("a\n", "b")).toBe("a\nb\n");
    expect(append("a\n", "b\n")).toBe("a\nb\n");
    expect(append("a", "b")).toBe("a\nb");
    expect(append("a", "b\n")).toBe("a\nb\n");
    expect(append("", "b")).toBe("b");
    expect(append("\ufeff", "b")).toBe("\ufeffb");
    expect(append("a\n\n\n", "b")).toBe("a\n\n\nb\n");
    expect(append("a\r\nb\r\n", "c\nd")).toBe("a\r\nb\r\nc\r\nd\r\n");
    expect(append("---\nk: v\n---\n", "b")).toBe("---\nk: v\n---\nb\n");
  });

  it("makes no heading of the last line", () => {
    expect(append("a\n", "---\nb")).toBe("a\n\n---\nb\n");
    expect(append("a\n\n", "---\nb")).toBe("a\n\n---\nb\n");
  });

  it("refuses nothing to append and half characters", () => {
    expect(failure(() => append("a", ""))).toMatchObject({ code: "INVALID_ARGUMENT", argument: "content" });
    expect(failure(() => append("a", "\ud83d"))).toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});

describe("appendText at the end of a section", () => {
  it("adds before the next heading of its level or above, after its subsections", () => {
    expect(append("# T\n\n## A\na\n\n## B\nb\n", "new", "A")).toBe("# T\n\n## A\na\nnew\n\n## B\nb\n");
    expect(append("## A\na\n### A1\nx\n\n## B\nb\n", "new", "A")).toBe(
      "## A\na\n### A1\nx\nnew\n\n## B\nb\n",
    );
    expect(append("## A\na\n### A1\nx\n\n## B\nb\n", "new", "A > A1")).toBe(
      "## A\na\n### A1\nx\nnew\n\n## B\nb\n",
    );
    expect(append("## A\n## B\n", "new", "A")).toBe("## A\nnew\n## B\n");
    expect(append("## A\na", "new", "A")).toBe("## A\na\nnew");
    expect(append("## A\na\n", "new", "A")).toBe("## A\na\nnew\n");
    expect(append("## A\n\n\n", "new", "A")).toBe("## A\nnew\n\n\n");
  });

  it("finds a heading with and without its marks, with emoji and HTML in it", () => {
    const note = "## 📝| <b>Notes:</b>\n";
    expect(append(note, "x", "📝| <b>Notes:</b>")).toBe(`${note}x\n`);
    expect(append(note, "x", "## 📝| <b>Notes:</b>")).toBe(`${note}x\n`);
  });

  it("takes fences, setext headings and CRLF for what they are", () => {
    expect(append("## A\n```\n## B\n```\n\n## C\n", "new", "A")).toBe("## A\n```\n## B\n```\nnew\n\n## C\n");
    expect(append("A\n-\na\n\nB\n-\nb\n", "new", "A")).toBe("A\n-\na\nnew\n\nB\n-\nb\n");
    // Without a blank line the content would become part of the heading below.
    expect(append("# A\nB\n=\nb\n", "new", "A")).toBe("# A\nnew\n\nB\n=\nb\n");
    expect(append("## A\r\na\r\n\r\n## B\r\n", "n\nm", "A")).toBe("## A\r\na\r\nn\r\nm\r\n\r\n## B\r\n");
  });

  it("places text behind a block", () => {
    expect(append("one\ntwo ^b1\n\nthree\n", "new", "^b1")).toBe("one\ntwo ^b1\n\nnew\n\nthree\n");
    expect(append("- a ^b1\n- b\n", "- new", "^b1")).toBe("- a ^b1\n- new\n- b\n");
    expect(append("| a ^r1 | b |\n", "| c | d |", "^r1")).toBe("| a ^r1 | b |\n| c | d |\n");
  });

  it("names the outline where there is no such section, and never makes one", () => {
    expect(failure(() => append("# T\n## A\n", "x", "B"))).toEqual({
      code: "SECTION_NOT_FOUND",
      path: "n.md",
      section: "B",
      nearest: ["# T", "## A"],
    });
    expect(failure(() => append("a\n", "x", "^none")).code).toBe("SECTION_NOT_FOUND");
    expect(failure(() => append("# A\n# B\n# A\n", "x", "A"))).toMatchObject({
      code: "SECTION_AMBIGUOUS",
      lines: [1, 3],
    });
  });

  it("refuses content that would swallow what follows", () => {
    expect(failure(() => append("# A\n\n# B\n", "```\nopen", "A"))).toMatchObject({ argument: "content" });
    expect(append("# A\n\n# B\n", "```\nopen\n```", "A")).toBe("# A\n```\nopen\n```\n\n# B\n");
    expect(append("# A\n\n# B\n", "## sub\nx", "A")).toBe("# A\n## sub\nx\n\n# B\n");
  });

  it("leaves every byte of the note where it is, for any note", () => {
    const line = fc.constantFrom(
      "",
      "a",
      "- b",
      "# H",
      "## I",
      "### J",
      "---",
      "===",
      "```",
      "| t |",
      "> q",
      "x ^id",
      "    code",
    );
    const ending = fc.constantFrom("\n", "\r\n");
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 12 }),
        ending,
        fc.boolean(),
        fc.constantFrom(undefined, "H", "I", "H > I", "^id"),
        (lines, end, closed, section) => {
          const note = lines.join(end) + (closed ? end : "");
          let result: string;
          try {
            result = append(note, "CONTENT", section);
          } catch (error) {
            if (
              error instanceof VaultError &&
              ["SECTION_NOT_FOUND", "SECTION_AMBIGUOUS", "INVALID_ARGUMENT"].includes(error.code)
            )
              return;
            throw error;
          }
          const made = note.includes(end) ? end : "\n";
          const at = result.indexOf("CONTENT");
          const before = result.slice(0, at);
          const after = result.slice(at + "CONTENT".length);
          // What was added beside the content are at most a blank line on each side.
          const added = result.length - note.length - "CONTENT".length;
          expect(added % made.length).toBe(0);
          expect(added / made.length).toBeLessThanOrEqual(3);
          expect((before + after).replaceAll(made, "")).toBe(note.replaceAll(made, ""));
          expect(result.endsWith(end)).toBe(note === "" ? false : note.endsWith(end));
        },
      ),
      { numRuns: 500 },
    );
  });
});
