import { expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import { matchesFrontmatter } from "../listing/filters.ts";
import { propertyRows, propertyText } from "./property-rows.ts";

const rows = (frontmatter: JsonObject) =>
  propertyRows(frontmatter).map(({ key, text, number, place, type }) => [key, text, number, place, type]);

it("gives each key its different values in their order, compared as filters compare", () => {
  expect(
    rows({ Status: "Draft", n: [3, "3", "x", true], "de\u0301": null, e: [], m: { a: "1.10" } }),
  ).toEqual([
    ["Status", "draft", undefined, 0, "text"],
    ["n", "3", 3, 0, "list"],
    ["n", "x", undefined, 1, "list"],
    ["n", "true", undefined, 2, "list"],
    ["d\u00e9", undefined, undefined, 0, "null"],
    ["e", undefined, undefined, 0, "list"],
    ["m", undefined, undefined, 0, "mapping"],
    ["m.a", "1.10", undefined, 0, "text"],
  ]);
});

it("keeps what was written where it is compared in another form", () => {
  expect(propertyRows({ a: "Draft", b: "x" }).map(({ shown }) => shown)).toEqual(["Draft", undefined]);
});

it("says null only where a filter finds nothing present", () => {
  const examples: JsonObject[] = [
    { a: [null] },
    { a: null },
    { a: [{ b: null }, { b: null }] },
    { a: [{ b: null }, { b: 1 }] },
    { a: [{ b: null }, { b: {} }] },
  ];
  for (const frontmatter of examples) {
    for (const { key, type } of propertyRows(frontmatter)) {
      const condition = { key, operator: "exists", operands: [true] } as const;
      expect([key, type !== "null"]).toEqual([key, matchesFrontmatter(condition, frontmatter)]);
    }
  }
});

it("tells long values apart and keeps them short", () => {
  const long = "a".repeat(5_000);
  expect(propertyText(`${long}x`)).not.toBe(propertyText(`${long}y`));
  expect(propertyText(`${long}x`)).toHaveLength(1_032);
  expect(propertyText("a\0b\ud800")).toBe("a\ufffdb\ufffd");
});
