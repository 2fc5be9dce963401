import { describe, expect, test } from "vitest";
import { bindable, countPlaceholders } from "./parameters.ts";

describe("bindable", () => {
  test("turns what an engine cannot take into what it can", () => {
    const bytes = new Uint8Array([1]);
    expect(bindable([true, false, undefined, null, new Date(5), 7, 1.5, "x", bytes])).toEqual([
      1n,
      0n,
      null,
      null,
      5n,
      7n,
      1.5,
      "x",
      bytes,
    ]);
  });

  test.each([
    ["NaN", Number.NaN],
    ["an infinity", Number.POSITIVE_INFINITY],
    ["an invalid date", new Date(Number.NaN)],
    ["an integer that would not come back exactly", 2 ** 53],
    ["a bigint that would not come back exactly", 2n ** 60n],
    ["text with NUL", "a\0b"],
    ["an object", {} as never],
  ])("refuses %s", (_, value) => {
    expect(() => bindable([value])).toThrow(TypeError);
  });
});

test.each([
  ["SELECT 1", 0],
  ["SELECT ? + ?", 2],
  ["SELECT '?', \"?\", 'it''s ?', ? -- why?\n/* ? */", 1],
])("counts the placeholders of %j", (sql, count) => {
  expect(countPlaceholders(sql)).toBe(count);
});
