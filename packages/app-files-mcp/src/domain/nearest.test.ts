import { expect, test } from "vitest";
import { nearestNames } from "./nearest.ts";

test.each([
  ["reprot.pdf", ["report.pdf", "reprots.pdf", "other.txt"], ["reprots.pdf", "report.pdf"]],
  ["Report.PDF", ["report.pdf"], ["report.pdf"]],
  ["report", ["yearly report 2031.pdf"], ["yearly report 2031.pdf"]],
  ["x", ["completely different"], []],
  ["anything", [], []],
])("is told of %s", (name, names, expected) => {
  expect(nearestNames(name, names)).toEqual(expected);
});

test("names a few, the nearest first", () => {
  const names = Array.from({ length: 50 }, (_, n) => `file ${n}`);
  expect(nearestNames("file 7", names)).toHaveLength(3);
  expect(nearestNames("file 7", names)[0]).toBe("file 7");
});
