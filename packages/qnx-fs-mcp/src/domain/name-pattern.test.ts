import { expect, test } from "vitest";
import { matchingNames } from "./name-pattern.ts";

test("a pattern picks names, dot files among them", () => {
  const names = [".profile", "a.core", "a.core.gz", "b.log", "[x].log"];
  expect(matchingNames("*.core*", names)).toEqual([1, 2]);
  expect(matchingNames("*", names)).toEqual([0, 1, 2, 3, 4]);
  expect(matchingNames("[x].log", names)).toEqual([4]);
  expect(matchingNames("zz*", names)).toEqual([]);
});

test("a pattern with a folder in it is refused with what to pass", () => {
  expect(() => matchingNames("var/*.core", [])).toThrow(
    expect.objectContaining({
      code: "INVALID_ARGUMENT",
      details: expect.objectContaining({ argument: "pattern" }),
    }),
  );
});

test("a pattern that could cost much is refused", () => {
  expect(() => matchingNames("*a*b*c*d*", ["x"])).toThrow(
    expect.objectContaining({ code: "PATTERN_TOO_COSTLY" }),
  );
});
