import fc from "fast-check";
import { expect, it } from "vitest";
import { fold } from "./fold.ts";

it("unites cases, and forms of accents", () => {
  expect(fold("É")).toBe(fold("e\u0301"));
  expect(fold("STRASSE")).toBe(fold("Straße"));
  expect(fold("ΟΔΟΣ")).toBe(fold("οδος"));
});

it("folds a name alike with and without an extension, in and out of a folder", () => {
  expect(fold("ΟΔΟΣ.md")).toBe(`${fold("ΟΔΟΣ")}.md`);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (name) => {
      expect(fold(`a/${name}.md`)).toBe(`a/${fold(name)}.md`);
    }),
  );
});
