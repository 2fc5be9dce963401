import { describe, expect, it } from "vitest";
import { fileKeys, linkKeys, readLinkPath } from "./link-path.ts";

describe("readLinkPath", () => {
  it.each([
    ["a", "f", { from: "anywhere", path: "a" }],
    ["a/b/", "f", { from: "anywhere", path: "a/b" }],
    ["/a", "f", { from: "root", path: "a" }],
    ["./a", "f/g", { from: "folder", path: "f/g/a" }],
    ["../a", "f/g", { from: "folder", path: "f/a" }],
    ["../../a", "f/g", { from: "folder", path: "a" }],
    ["a/../b", "f", { from: "anywhere", path: "b" }],
    ["..a", "f", { from: "anywhere", path: "..a" }],
  ] as const)("%s in %s", (path, folder, expected) => expect(readLinkPath(path, folder)).toEqual(expected));

  it.each(["../../a", "/../a", "a/../../b", "..", ".", "/", "a\0b"])("%s leads nowhere", (path) => {
    expect(readLinkPath(path, path === "." ? "" : "f")).toBeUndefined();
  });
});

describe("keys", () => {
  it("are the folded last name, without the extension of a note", () => {
    expect(fileKeys("A/Éa.md")).toEqual(["éa"]);
    expect(fileKeys("a.png")).toEqual(["a.png"]);
    expect(fileKeys("n.markdown", ["Other Name", "x/Y"])).toEqual(["n", "other name", "y"]);
    expect(linkKeys("B/E\u0301A")).toEqual(["éa"]);
    expect(linkKeys("a.MD")).toEqual(["a.md", "a"]);
    expect(linkKeys("")).toEqual([]);
  });
});
