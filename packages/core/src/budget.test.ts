import fc from "fast-check";
import { expect, test } from "vitest";
import { cutText, takeWithin } from "./budget.ts";
import { jsonBytes } from "./json.ts";

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: fc.constantFrom("\ud800", "a", "\n", "\u0001", '"', "\\", "é", "界", "😀") }),
);

test("cuts to the longest prefix that fits, never inside a character", () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 2, max: 80 }), (text, max) => {
      const cut = cutText(text, max);
      expect(text.startsWith(cut)).toBe(true);
      expect(jsonBytes(cut)).toBeLessThanOrEqual(max);
      if (text.isWellFormed()) expect(cut.isWellFormed()).toBe(true);
      const next = Array.from(text.slice(cut.length))[0];
      if (next !== undefined) expect(jsonBytes(cut + next)).toBeGreaterThan(max);
    }),
  );
});

test("takes the first items that fit", () => {
  expect(takeWithin(["aa", "bb", "cc"], 12)).toEqual(["aa", "bb"]);
  expect(takeWithin(["aa"], 3)).toEqual([]);
});
