import { describe, expect, it } from "vitest";
import { VaultError } from "../../domain/errors.ts";
import { readFrontmatter } from "../../domain/note/frontmatter.ts";
import { noteText } from "../../domain/writing/new-note-text.ts";
import { createYamlParser } from "../yaml-frontmatter.ts";
import { readYamlLayout } from "./yaml-layout.ts";

const parse = createYamlParser();
const yaml = { parse, layout: readYamlLayout };

describe("noteText", () => {
  it("writes frontmatter that reads back equal", () => {
    expect(noteText("n.md", "body\n", { title: "Part 1: start", tags: ["a/b", "c"], n: 1 }, yaml)).toBe(
      '---\ntitle: "Part 1: start"\ntags:\n  - a/b\n  - c\nn: 1\n---\nbody\n',
    );
    const odd = {
      "a b": "1.10",
      "": "x",
      "c: d": ["[[Home]]", "#x", "a\nb"],
      e: { f: null, g: [] },
      h: "one\ntwo\n",
    };
    const text = noteText("n.md", "\r\nbody", odd, yaml);
    expect(readFrontmatter(text, parse)).toMatchObject({ data: odd, error: undefined });
    expect(text.endsWith("---\r\n\r\nbody")).toBe(true);
  });

  it("takes content as it stands where no frontmatter is given", () => {
    expect(noteText("n.md", "---\na: 1\n---\nx", undefined, yaml)).toBe("---\na: 1\n---\nx");
    expect(noteText("n.md", "x", {}, yaml)).toBe("x");
  });

  it("refuses a block in the content beside frontmatter", () => {
    expect(() => noteText("n.md", "---\na: 1\n---\nx", { b: 1 }, yaml)).toThrow(VaultError);
  });
});
