import { describe, expect, it } from "vitest";
import { type LineKind, readBlocks } from "./read-blocks.ts";

/** The kinds of a text's lines, each by its first letter; the blank ones as a dot. */
function kinds(text: string): string {
  const letter: Record<LineKind, string> = {
    text: "t",
    blank: ".",
    code: "c",
    html: "h",
    comment: "%",
    math: "m",
  };
  return readBlocks(text)
    .kinds.map((kind) => letter[kind])
    .join("");
}

describe("kinds of lines", () => {
  it.each([
    ["# a\n\ntext\n===\n---\n", "t.ttt"],
    ["```\na\n\n```\nb", "cccct"],
    ["~~~ js\n```\n~~~\na", "ccct"],
    ["``` a`b\nc", "tt"],
    ["- a\n\n  ```\n  b\n\nc", "t.ccct"],
    ["> ```\n> a\nb", "cct"],
    ["1. a\n\n       b\n\n   c", "t.c.t"],
    ["a\n    b\n\n    c\n\n    d", "tt.c.c"],
    ["\tcode\ntext", "ct"],
    ["<div>\n# a\n\n# b", "hhht"],
    ["<!-- a\n\nb -->\nc", "%%%t"],
    ["$$\na\n\n$$ b\nc", "mmmmt"],
    ["%%\na\n\n%%\nb", "%%%%t"],
    ["%% a\n\nb", "t.t"],
    ["| a |\n|---|\n| b |\n\nc", "ttt.t"],
    ["a\r\n\r\nb\rc", "t.tt"],
    ["> a\n>\n> b", "ttt"],
  ])("%j", (text, expected) => expect(kinds(text)).toBe(expected));

  it("has one for each line", () => {
    expect(readBlocks("").kinds).toEqual([]);
    expect(readBlocks("\n\n").kinds).toEqual(["blank", "blank"]);
  });
});
