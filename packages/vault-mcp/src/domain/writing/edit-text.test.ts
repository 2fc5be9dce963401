import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { VaultError } from "../errors.ts";
import { applyEdits } from "./edit-text.ts";

const edit = (oldText: string, newText: string, replaceAll = false) => ({ oldText, newText, replaceAll });
const apply = (text: string, ...edits: ReturnType<typeof edit>[]) => applyEdits("n.md", text, edits).text;

function failure(run: () => unknown): VaultError {
  try {
    run();
  } catch (error) {
    if (error instanceof VaultError) return error;
    throw error;
  }
  throw new Error("did not fail");
}

describe("applyEdits", () => {
  it("puts new text in as it stands", () => {
    expect(apply("price: X", edit("X", "$$100 $& $1"))).toBe("price: $$100 $& $1");
    expect(apply("a\n- a\n", edit("- a", ""))).toBe("a\n\n");
  });

  it("finds LF text in a CRLF note and keeps its line endings", () => {
    expect(apply("a\r\nb\r\nc\r\n", edit("a\nb", "A\nB"))).toBe("A\r\nB\r\nc\r\n");
    expect(apply("a\r\nb\r\nc\r\n", edit("b", "x\ny"))).toBe("a\r\nx\r\ny\r\nc\r\n");
    expect(apply("a\r\nb\r\n", edit("\nb", "\nc"))).toBe("a\r\nc\r\n");
    expect(apply("a\nb\r\nc", edit("a", "x\ny"))).toBe("x\ny\nb\r\nc");
    expect(apply("a\nb\n", edit("a\r\nb", "A\r\nB"))).toBe("A\r\nB\n");
  });

  it("applies each edit to the original, whatever the others put in", () => {
    expect(apply("one two", edit("two", "one"), edit("one", "two"))).toBe("two one");
    expect(apply("ab", edit("b", "2"), edit("a", "1"))).toBe("12");
  });

  it("refuses what is there more than once, and replaces all on demand", () => {
    const { code, details } = failure(() => apply("x\na x\nx\n", edit("x", "y")));
    expect([code, details]).toEqual([
      "EDIT_AMBIGUOUS",
      { path: "n.md", edit: 0, count: 3, lines: [1, 2, 3] },
    ]);
    expect(failure(() => apply("aaa", edit("aa", "b"))).code).toBe("EDIT_AMBIGUOUS");
    expect(apply("x\na x\nx\n", edit("x", "y", true))).toBe("y\na y\ny\n");
    expect(apply("aaa", edit("aa", "b", true))).toBe("ba");
  });

  it("refuses overlaps and names both edits", () => {
    const { code, details } = failure(() => apply("abcd", edit("cd", "1"), edit("bc", "2")));
    expect([code, details]).toEqual(["EDITS_OVERLAP", { path: "n.md", edits: [1, 0] }]);
    expect(failure(() => apply("a a", edit("a", "b", true), edit("a a", "c"))).code).toBe("EDITS_OVERLAP");
  });

  it("applies none where one fails", () => {
    expect(failure(() => apply("a b", edit("a", "1"), edit("c", "2"))).details).toMatchObject({ edit: 1 });
  });

  it("refuses an empty old text and half characters", () => {
    expect(failure(() => apply("a", edit("", "b"))).details).toMatchObject({ argument: "edits[0].old_text" });
    const half = "😀".slice(0, 1);
    expect(failure(() => apply("😀", edit(half, "b"))).details).toMatchObject({
      argument: "edits[0].old_text",
    });
    expect(failure(() => apply("a", edit("a", half))).details).toMatchObject({
      argument: "edits[0].new_text",
    });
  });

  it("changes nothing outside the target and is undone by the reverse edit, for any note", () => {
    const ending = fc.constantFrom("\n", "\r\n");
    const piece = fc.string({
      unit: fc.constantFrom("a", "b", " ", "\n", "$", "é", "😀", "\ufeff"),
      maxLength: 30,
    });
    fc.assert(
      fc.property(piece, piece, piece, ending, (before, after, inside, end) => {
        const note = (middle: string) => `${before}${middle}${after}`.replaceAll("\n", end);
        const changed = apply(note("<old\ntext>"), edit("<old\ntext>", `[new${inside}]`));
        expect(changed).toBe(note(`[new${inside}]`));
        expect(apply(changed, edit(`[new${inside}]`, `<old${end}text>`))).toBe(note("<old\ntext>"));
      }),
    );
  });

  it("leaves mixed line endings outside the target alone", () => {
    const mixed = fc
      .array(fc.constantFrom("a", "\n", "\r\n", "\r", "b"), { maxLength: 20 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(mixed, mixed, (before, after) => {
        const text = `${before}<1>${after}`;
        expect(apply(text, edit("<1>", "<2>"))).toBe(`${before}<2>${after}`);
      }),
    );
  });
});
