import { expect, test } from "vitest";
import { names, readRange } from "./conditions.ts";

test.each([
  [null, "whole"],
  ["bytes=0-", { start: 0, end: 10 }],
  ["bytes=2-5", { start: 2, end: 6 }],
  ["bytes=2-500", { start: 2, end: 10 }],
  ["bytes=-3", { start: 7, end: 10 }],
  ["bytes=-30", { start: 0, end: 10 }],
  ["bytes=10-", "beyond"],
  ["bytes=-0", "beyond"],
  ["bytes=5-2", "whole"],
  ["bytes=0-1,3-4", "whole"],
  ["bytes=-", "whole"],
  ["lines=1-2", "whole"],
])("reads the range %s", (header, range) => {
  expect(readRange(header, 10)).toEqual(range);
});

test.each([
  ['"aa"', true],
  ['W/"aa"', true],
  ['"b", "aa"', true],
  ["*", true],
  ['"b"', false],
  ["aa", false],
])("reads the tags %s", (list, expected) => {
  expect(names(list, { sha256: "aa" })).toBe(expected);
  expect(names(list, undefined)).toBe(false);
});
