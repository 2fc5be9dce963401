import { describe, expect, it } from "vitest";
import { VaultError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { matchesFrontmatter, parseFilters } from "./filters.ts";

const matches = (filters: JsonObject, frontmatter: JsonObject) =>
  parseFilters(filters).every((condition) => matchesFrontmatter(condition, frontmatter));

describe("filters", () => {
  const note: JsonObject = {
    status: "Open",
    count: 5,
    text: "5",
    done: true,
    tags: ["Craft", "wood/oak"],
    nested: { a: { b: "deep" }, list: [{ name: "x" }, { name: "y" }] },
    "nested.a": "exact",
    nothing: null,
    empty: "",
    due: "2031-02-03",
    version: "1.10",
    street: "Straße",
    cafe: "Cafe\u0301",
  };

  it.each<[JsonObject, boolean]>([
    [{}, true],
    [{ status: "open" }, true],
    [{ status: "ope" }, false],
    [{ count: "5" }, true],
    [{ text: 5 }, true],
    [{ count: 5.5 }, false],
    [{ done: "true" }, true],
    [{ done: "TRUE" }, true],
    [{ done: false }, false],
    [{ tags: "craft" }, true],
    [{ tags: ["craft", "wood/oak"] }, true],
    [{ tags: ["craft", "metal"] }, false],
    [{ tags: { in: ["metal", "craft"] } }, true],
    [{ status: { in: ["metal"] } }, false],
    [{ "nested.a": "exact" }, true],
    [{ "nested.a": "deep" }, false],
    [{ "nested.list.name": "y" }, true],
    [{ nested: "deep" }, false],
    [{ nested: { exists: true } }, true],
    [{ nothing: { exists: true } }, false],
    [{ nothing: { exists: false } }, true],
    [{ nothing: null }, true],
    [{ absent: null }, true],
    [{ status: null }, false],
    [{ absent: { exists: "false" } }, true],
    [{ absent: "x" }, false],
    [{ absent: { ne: "x" } }, true],
    [{ status: { ne: "open" } }, false],
    [{ status: { ne: "closed" } }, true],
    [{ tags: { ne: "craft" } }, false],
    [{ empty: "" }, true],
    [{ absent: "" }, false],
    [{ count: { gt: 4, lte: 5 } }, true],
    [{ count: { gt: "10" } }, false],
    [{ count: { lt: 10 } }, true],
    [{ text: { lt: 10 } }, true],
    [{ due: { gte: "2031-02-03", lt: "2031-03-01" } }, true],
    [{ due: { gt: "2031-02-03" } }, false],
    [{ version: 1.1 }, false],
    [{ version: "1.10" }, true],
    [{ absent: { gt: 0 } }, false],
    [{ street: "STRASSE" }, true],
    [{ cafe: "CAF\u00c9" }, true],
    [{ toString: { exists: true } }, false],
    [{ status: "open", count: 6 }, false],
  ])("%j: %s", (filters, expected) => {
    expect(matches(filters, note)).toBe(expected);
  });

  it("shows how a nested key is written", () => {
    expect(() => parseFilters({ a: { b: "x" } })).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({ next: expect.stringContaining('"a.b"') }),
      }),
    );
  });

  it.each<[JsonObject, RegExp]>([
    [{ a: { like: "x" } }, /unknown operator "like"; known are eq, ne, in, gt, gte, lt, lte, exists/],
    [{ a: {} }, /no operator/],
    [{ a: [] }, /list is empty/],
    [{ a: { in: "x" } }, /takes a list/],
    [{ a: { in: [] } }, /list is empty/],
    [{ a: { gt: [1] } }, /one value/],
    [{ a: { gt: null } }, /a text, a number or a boolean/],
    [{ a: { eq: { b: 1 } } }, /a text, a number or a boolean/],
    [{ a: [["x"]] }, /texts, numbers and booleans only/],
    [{ a: { exists: 1 } }, /true or false/],
    [{ "": 1 }, /key is empty/],
  ])("refuses %j", (filters, problem) => {
    expect(() => parseFilters(filters)).toThrow(VaultError);
    expect(() => parseFilters(filters)).toThrow(
      expect.objectContaining({
        code: "INVALID_ARGUMENT",
        details: expect.objectContaining({ problem: expect.stringMatching(problem) }),
      }),
    );
  });
});
