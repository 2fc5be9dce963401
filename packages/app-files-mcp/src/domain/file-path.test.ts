import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasCode } from "./errors.ts";
import { comparePaths, foldersOf, foldPath, parsePath, prefixEnd } from "./file-path.ts";

describe("parsePath", () => {
  test.each([
    "résumé (1).pdf",
    "日本語.txt",
    ".env",
    "_x.md",
    "a..b.txt",
    "a+b, c@d's #1 [x] {y} & z.csv",
    "deep/er/and deeper/file",
    "...leading",
    "a".repeat(255),
    `${"é".repeat(127)}/x`,
  ])("takes %s", (path) => {
    expect(parsePath(path)).toBe(path);
  });

  test("keeps names in NFC", () => {
    expect(parsePath("re\u0301sume\u0301.pdf")).toBe("résumé.pdf");
  });

  test.each([
    ["", "is empty"],
    ["/a", "begins with a slash"],
    ["a/", "ends with a slash"],
    ["a//b", "two slashes"],
    ["./a", "a . segment"],
    ["a/../b", "a .. segment"],
    ["..", "a .. segment"],
    ["a\\b", "backslash"],
    ["C:\\x", "backslash"],
    ["a\nb", "control character"],
    ["a\u0000b", "control character"],
    ["a\u2028b", "line break"],
    ["tail ", "ends with a space"],
    ["tail./x", "ends with a dot"],
    ["é".repeat(128), "longer than 255 bytes"],
    [`${"a/".repeat(512)}a`, "longer than 1024 bytes"],
    ["half \ud800", "not valid Unicode"],
  ])("refuses %j and says why", (path, why) => {
    expect(() => parsePath(path)).toThrow(
      expect.objectContaining({ code: "INVALID_PATH", details: expect.objectContaining({ path }) }),
    );
    try {
      parsePath(path);
    } catch (error) {
      expect(hasCode(error, "INVALID_PATH") && error.details.problem).toContain(why);
    }
  });
});

test("folds case beyond ASCII", () => {
  expect(foldPath("Ä/ÉCOLE.TXT")).toBe(foldPath("ä/école.txt"));
});

test("names the folders of a path", () => {
  expect(foldersOf("a/b/c.txt")).toEqual(["a", "a/b"]);
  expect(foldersOf("c.txt")).toEqual([]);
});

test("orders paths as the bytes of their UTF-8", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
      expect(Math.sign(comparePaths(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});

test("finds the end of what starts with a prefix", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", minLength: 1, maxLength: 3 }),
      fc.string({ unit: "binary", maxLength: 4 }),
      (prefix, path) => {
        const end = prefixEnd(prefix);
        const inRange = comparePaths(path, prefix) >= 0 && (end === undefined || comparePaths(path, end) < 0);
        expect(inRange).toBe(path.startsWith(prefix));
        const below = prefix + path;
        expect(comparePaths(below, prefix) >= 0 && (end === undefined || comparePaths(below, end) < 0)).toBe(
          true,
        );
      },
    ),
  );
  expect(prefixEnd("\ud7ff")).toBe("\ue000");
  expect(prefixEnd("\u{10ffff}")).toBeUndefined();
});
