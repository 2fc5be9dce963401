import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import { shortenFrontmatter } from "./shorten.ts";

it("leaves what is short as it is, the same object", () => {
  const frontmatter: JsonObject = { a: "x".repeat(2_000), b: [1, 2], c: { d: null } };
  expect(shortenFrontmatter(frontmatter)).toEqual({ frontmatter, shortened: false });
});

it("cuts texts, lists and mappings, and marks where", () => {
  const list = Array.from({ length: 2_000 }, (_, index) => index);
  const { frontmatter, shortened } = shortenFrontmatter({
    text: "🌱".repeat(1_001),
    list,
    map: Object.fromEntries(list.map((index) => [`k${index}`, "v"])),
    one: ["x".repeat(5_000)],
    short: 1,
  });
  expect(shortened).toBe(true);
  expect(frontmatter.text).toBe(`${"🌱".repeat(1_000)}…`);
  expect((frontmatter.list as number[]).slice(0, 3)).toEqual([0, 1, 2]);
  expect((frontmatter.list as unknown[]).at(-1)).toBe("…");
  expect(Object.entries(frontmatter.map as object).at(-1)).toEqual(["…", "…"]);
  expect((frontmatter.one as string[])[0]?.length).toBeLessThanOrEqual(2_001);
  expect(frontmatter.short).toBe(1);
});

it("no value stays longer than it may", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3, stringUnit: "grapheme" })),
      (given) => {
        const wide = { ...given, wide: Array(200).fill(given) } as JsonObject;
        for (const value of Object.values(shortenFrontmatter(wide).frontmatter)) {
          const size = typeof value === "string" ? value.length : JSON.stringify(value).length;
          expect(size).toBeLessThanOrEqual(2_100);
        }
      },
    ),
  );
});
