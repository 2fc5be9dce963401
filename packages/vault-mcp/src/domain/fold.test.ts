import fc from "fast-check";
import { expect, it } from "vitest";
import { fold, foldName } from "./fold.ts";

it("unites cases, and forms of accents", () => {
  expect(fold("É")).toBe(fold("e\u0301"));
  expect(fold("STRASSE")).toBe(fold("Straße"));
  expect(fold("ΟΔΟΣ")).toBe(fold("οδος"));
});

it("unites cases of names, and no more than those who keep files and follow links do", () => {
  expect(foldName("E\u0301TÉ.MD")).toBe(foldName("été.md"));
  expect(foldName("ΟΔΟΣ")).toBe(foldName("οδος"));
  expect(foldName("Straße")).not.toBe(foldName("Strasse"));
  expect(foldName("İ")).not.toBe(foldName("i"));
});

it.each([fold, foldName])(
  "%o treats a name alike with and without an extension, in and out of a folder",
  (folded) => {
    expect(folded("ΟΔΟΣ.md")).toBe(`${folded("ΟΔΟΣ")}.md`);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (name) => {
        expect(folded(`a/${name}.md`)).toBe(`a/${folded(name)}.md`);
      }),
    );
  },
);
