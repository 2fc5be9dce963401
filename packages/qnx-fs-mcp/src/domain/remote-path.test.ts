import { posix } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  assertNormalised,
  isWithin,
  joinPath,
  nameOf,
  normaliseRemotePath,
  parentOf,
} from "./remote-path.ts";

const part = fc.constantFrom("a", "b c", "~", ".", "..", "", "é", "...", "x'y;z", "-n");
const path = fc.array(part).map((parts) => `/${parts.join("/")}`);

describe("normaliseRemotePath", () => {
  test("gives what the system's own rules give, and null above the root and for the home directory", () => {
    fc.assert(
      fc.property(path, (text) => {
        const normal = normaliseRemotePath(text);
        if (normal === null) return;
        expect(normal).toBe(posix.normalize(text).replace(/(?<=.)\/$/, ""));
        expect(normaliseRemotePath(normal)).toBe(normal);
      }),
    );
  });

  test.each([
    ["/", "/"],
    ["/tmp/", "/tmp"],
    ["//tmp//x/./y/../z", "/tmp/x/z"],
    ["/data/~", "/data/~"],
    ["~/f.txt", null],
    ["/~/f.txt", null],
    ["f.txt", null],
    ["", null],
    ["/..", null],
    ["/a\0b", null],
    ["/\ud800", null],
  ])("%j is %j", (text, normal) => {
    expect(normaliseRemotePath(text)).toBe(normal);
  });

  test("refuses with the normal form", () => {
    expect(() => assertNormalised("/tmp/")).toThrow(
      expect.objectContaining({
        code: "PATH_NOT_NORMALISED",
        details: { path: "/tmp/", normalised: "/tmp" },
      }),
    );
    expect(() => assertNormalised("/tmp/x")).not.toThrow();
  });
});

test("isWithin does not take a sibling with the same beginning", () => {
  expect(isWithin("/data/x", "/data")).toBe(true);
  expect(isWithin("/data", "/data")).toBe(true);
  expect(isWithin("/data_secret", "/data")).toBe(false);
  expect(isWithin("/anything", "/")).toBe(true);
});

test("a path is its parent and its name", () => {
  fc.assert(
    fc.property(path, (text) => {
      const normal = normaliseRemotePath(text);
      if (normal === null || normal === "/") return;
      expect(joinPath(parentOf(normal), nameOf(normal))).toBe(normal);
    }),
  );
});
