import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyEdits } from "./edit-text.ts";
import { AppFilesError } from "./errors.ts";

const edit = (oldText: string, newText: string, replaceAll = false) => ({ oldText, newText, replaceAll });
const apply = (text: string, ...edits: ReturnType<typeof edit>[]) => applyEdits("f", text, edits).text;
const failure = (text: string, ...edits: ReturnType<typeof edit>[]) => {
  try {
    apply(text, ...edits);
  } catch (error) {
    if (error instanceof AppFilesError) return { code: error.code, ...error.details };
    throw error;
  }
  return "no failure";
};

describe("edits", () => {
  test.each([
    ["dollars stay", "price: X", edit("X", "$$100 $& $1"), "price: $$100 $& $1"],
    ["pattern characters are literal", "a.c (b)* [x]", edit(".c (b)* [", "-"), "a-x]"],
    ["a slash and a dash", "a/b-c", edit("/b-", "\\n"), "a\\nc"],
    ["LF means CRLF too", "a\r\nb\r\nc\r\n", edit("a\nb", "A\nB"), "A\r\nB\r\nc\r\n"],
    ["a new line end is that of the place", "a\r\nb\r\n", edit("b", "x\ny"), "a\r\nx\r\ny\r\n"],
    ["of the line before at the end", "a\r\nb", edit("b", "x\ny"), "a\r\nx\r\ny"],
    ["mixed ends keep theirs", "a\nb\r\nc", edit("a", "x\ny"), "x\ny\nb\r\nc"],
    ["CRLF finds LF", "a\nb\n", edit("a\r\nb", "A\r\nB"), "A\r\nB\n"],
    ["all of them", "x\na x\nx", edit("x", "y", true), "y\na y\ny"],
    ["all, one after the other", "aaaa", edit("aa", "b", true), "bb"],
    ["nothing is put in place", "a\n- b\nc", edit("- b\n", ""), "a\nc"],
    ["a mark of order stays", "\ufeffa", edit("a", "b"), "\ufeffb"],
  ])("%s", (_, text, wanted, expected) => {
    expect(apply(text, wanted)).toBe(expected);
  });

  test("all mean the text as it was, in any order", () => {
    expect(apply("one two", edit("two", "one"), edit("one", "two"))).toBe("two one");
  });

  test("refuse what is there more than once, overlapping or not, with its lines", () => {
    expect(failure("x\na\nx x", edit("x", "y"))).toEqual({
      ...{ code: "EDIT_AMBIGUOUS", path: "f", edit: 0, count: 3, lines: [1, 3, 3] },
    });
    expect(failure("aaa", edit("aa", "b"))).toMatchObject({ code: "EDIT_AMBIGUOUS", count: 2 });
  });

  test("refuse overlaps and name both", () => {
    expect(failure("abcd", edit("cd", "1"), edit("bc", "2"))).toEqual({
      ...{ code: "EDITS_OVERLAP", path: "f", edits: [1, 0] },
    });
    expect(apply("abcd", edit("cd", "1"), edit("ab", "2"))).toBe("21");
  });

  test.each([
    ["a\nThis is\n", "this IS", { nearLine: 2, hint: "which differs in upper and lower case" }],
    ["a\n\nb  c\td\n", "b c d", { nearLine: 3, hint: "which differs in white space" }],
    ["a\nfirst\nsecond", "first\nthird", { nearLine: 2, hint: "which has its first line" }],
    ["abc", "xyz", { nearLine: undefined, hint: undefined }],
  ])("tell where %j is nearly what was looked for", (text, old, expected) => {
    expect(failure(text, edit(old, "x"))).toEqual({
      code: "EDIT_NOT_FOUND",
      path: "f",
      edit: 0,
      ...expected,
    });
  });

  test("cut no character in two, and refuse halves", () => {
    expect(failure("😀", edit("\ud83d", "b"))).toMatchObject({ argument: "edits[0].old_text" });
    expect(failure("a", edit("a", "\ude00"))).toMatchObject({ argument: "edits[0].new_text" });
    expect(failure("a", edit("", "b"))).toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(apply("😀😀", edit("😀😀", "😁"))).toBe("😁");
  });

  test("change nothing outside their place and are undone by the way back, in any text", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\n", "\r\n", "$", "é", "😀", " "), maxLength: 30 });
    fc.assert(
      fc.property(text, text, text, (before, inside, after) => {
        const changed = apply(`${before}<old>${after}`, edit("<old>", `[${inside}]`));
        expect(changed.startsWith(`${before}[`) && changed.endsWith(`]${after}`)).toBe(true);
        expect(apply(changed, edit(`[${inside}]`, "<old>"))).toBe(`${before}<old>${after}`);
      }),
    );
  });
});
