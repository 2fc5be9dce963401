import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePath } from "./vault-path.ts";

const place = { roots: ["/srv/rl", "/srv/Real"], windows: false };
const windows = { roots: ["C:\\Users\\Ann\\Vault"], windows: true };

describe("parsePath", () => {
  it.each([
    ["a.md", "a.md"],
    ["Thoughts/", "Thoughts"],
    ["Thoughts\\x\\", "Thoughts/x"],
    ["./a//b/./c.md", "a/b/c.md"],
    ["/a.md", "a.md"],
    ["/", ""],
    ["", ""],
    ["/srv/rl/a.md", "a.md"],
    ["/srv/Real/s/a.md", "s/a.md"],
    ["/srv/rl", ""],
    ["/srv/rlx/a.md", "srv/rlx/a.md"],
    ["/srv/real/a.md", "srv/real/a.md"],
    ["a.md:hidden", "a.md:hidden"],
    ["..md", "..md"],
    [" a .md", " a .md"],
  ])("%j is %j", (given, path) => {
    expect(parsePath("path", given, place)).toBe(path);
  });

  it.each(["..", "../x", "a/../../x", "a\\..\\x", "/../x", "/srv/rl/../x", "a/.."])("refuses %j", (given) => {
    expect(() => parsePath("path", given, place)).toThrow(
      expect.objectContaining({ code: "PATH_OUTSIDE_VAULT" }),
    );
  });

  it("takes a name with a backslash for itself where it is there", () => {
    const there = new Set(["a\\b.md", "s/x\\y/c.md"]);
    const asked = { ...place, isThere: (path: string) => there.has(path) };
    expect(parsePath("path", "a\\b.md", asked)).toBe("a\\b.md");
    expect(parsePath("path", "/srv/rl/s/x\\y/c.md", asked)).toBe("s/x\\y/c.md");
    expect(parsePath("path", "a\\c.md", asked)).toBe("a/c.md");
    expect(parsePath("path", "a\\b.md", { ...windows, isThere: () => true })).toBe("a/b.md");
    expect(() => parsePath("path", "../a\\b.md", asked)).toThrow(
      expect.objectContaining({ code: "PATH_OUTSIDE_VAULT" }),
    );
  });

  it("refuses a NUL", () => {
    expect(() => parsePath("folder", "a\0", place)).toThrow(
      expect.objectContaining({
        code: "INVALID_ARGUMENT",
        details: expect.objectContaining({ argument: "folder" }),
      }),
    );
  });

  it("knows drives and streams on Windows", () => {
    expect(parsePath("path", "c:/users/ann/vault/Sub\\A.md", windows)).toBe("Sub/A.md");
    for (const given of ["a.md:hidden", "C:a.md", "D:\\x.md", "C:\\Users\\Ann\\VaultX\\a.md"]) {
      expect(() => parsePath("path", given, windows)).toThrow(
        expect.objectContaining({ code: "PATH_OUTSIDE_VAULT" }),
      );
    }
  });

  it("never gives a path that leads out", () => {
    const text = fc.string({ unit: fc.constantFrom(..."./\\ab:\u0301".split("")), maxLength: 12 });
    fc.assert(
      fc.property(text, (given) => {
        let path: string;
        try {
          path = parsePath("path", given, place);
        } catch {
          return;
        }
        const names = path.split("/");
        expect(names).not.toContain("..");
        expect(path === "" || names.every((name) => name !== "" && name !== ".")).toBe(true);
        expect(parsePath("path", path, place)).toBe(path);
      }),
    );
  });
});
