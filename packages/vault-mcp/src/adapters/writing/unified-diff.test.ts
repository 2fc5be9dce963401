import { applyPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffTexts } from "./unified-diff.ts";

describe("diffTexts", () => {
  it("gives hunks with three lines of context", () => {
    const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    expect(diffTexts("a.md", before, before.replace("5", "five"), 1000)).toEqual({
      text: "--- a.md\n+++ a.md\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
      isCut: false,
    });
    expect(diffTexts("a.md", before, before, 1000)).toEqual({ text: "", isCut: false });
  });

  it("tells of a final newline that is missing, and of changed line endings", () => {
    expect(diffTexts("a.md", "a", "a\n", 1000).text).toContain("\\ No newline at end of file");
    expect(diffTexts("a.md", "a\r\n", "a\n", 1000).text).toContain("-a\r\n+a\n");
  });

  it("leaves out hunks that do not fit", () => {
    const before = Array.from({ length: 100 }, (_, index) => `line ${index}\n`).join("");
    const { text, isCut } = diffTexts("a.md", before, before.replaceAll("0\n", "zero\n"), 200);
    expect(isCut).toBe(true);
    expect(text.length).toBeLessThanOrEqual(200);
  });

  it("is bounded where everything differs", () => {
    const lines = (prefix: string) =>
      Array.from({ length: 30_000 }, (_, index) => `${prefix}${index}`).join("\n");
    const { text } = diffTexts("a.md", lines("a"), lines("b"), 10_000_000);
    expect(text.split("\n").filter((line) => line.startsWith("-a")).length).toBe(30_000);
  });

  it("can be applied, for any texts", () => {
    const text = fc
      .array(fc.constantFrom("a\n", "b\n", "\n", "c\r\n", "d"), { maxLength: 20 })
      .map((lines) => lines.join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = diffTexts("a.md", before, after, 100_000).text;
        expect(diff === "" ? before : applyPatch(before, diff, { autoConvertLineEndings: false })).toBe(
          after,
        );
      }),
    );
  });
});
