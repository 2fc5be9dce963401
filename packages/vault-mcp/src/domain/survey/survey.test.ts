import { describe, expect, it } from "vitest";
import { countFolders, foldersBelow } from "./count-folders.ts";
import { joinProperties, joinValues } from "./count-properties.ts";
import { countTags, selectTags } from "./count-tags.ts";

describe("folders", () => {
  const folders = countFolders(
    [
      { path: "a.md", kind: "note" },
      { path: "A/b.md", kind: "note" },
      { path: "A/B/c.md", kind: "note" },
      { path: "A/B/d.png", kind: "attachment" },
      { path: "A/B/C/e.md", kind: "note" },
    ],
    ["A", "A/B", "A/B/C", "Empty"],
  );

  it("counts what is in each and below it, empty ones too", () => {
    const rows = folders.map(({ path, notes, attachments, totalNotes, totalAttachments }) =>
      [path, notes, attachments, totalNotes, totalAttachments].join(" "),
    );
    expect(rows).toEqual([" 1 0 4 1", "A 1 0 3 1", "A/B 1 1 2 1", "A/B/C 1 0 1 0", "Empty 0 0 0 0"]);
  });

  it("gives a folder with those below it, so many levels deep", () => {
    const below = (folder: string, depth?: number) =>
      foldersBelow(folders, folder, depth).map(({ path }) => path);
    expect(below("")).toEqual(["", "A", "A/B", "A/B/C", "Empty"]);
    expect(below("", 1)).toEqual(["", "A", "Empty"]);
    expect(below("A", 1)).toEqual(["A", "A/B"]);
    expect(below("A", 0)).toEqual(["A"]);
    expect(below("Nowhere")).toEqual([]);
  });

  it("knows the folders above a file though nobody named them", () => {
    expect(countFolders([{ path: "X/Y/z.md", kind: "note" }], []).map(({ path }) => path)).toEqual([
      "",
      "X",
      "X/Y",
    ]);
  });
});

describe("tags", () => {
  const tags = countTags([["a/b", "a/c"], ["A"], ["z", "a/b/d"], [], ["zz", "zz"]]);

  it("rolls nested tags up, a note once for each", () => {
    expect(tags.map(({ tag, notes, own }) => `${tag} ${notes} ${own}`)).toEqual(
      ["A 3 1", "a/b 2 1", "a/b/d 1 1", "a/c 1 1", "z 1 1", "zz 1 1"].map((row) => row.replace(/^A /, "a ")),
    );
  });

  it("selects by prefix, by name or by count", () => {
    expect(selectTags(tags, "#A/", "name").map(({ tag }) => tag)).toEqual(["a/b", "a/b/d", "a/c"]);
    expect(
      selectTags(tags, "", "count")
        .map(({ tag }) => tag)
        .slice(0, 2),
    ).toEqual(["a", "a/b"]);
    expect(selectTags(tags, "none", "count")).toEqual([]);
  });
});

describe("properties", () => {
  it("counts keys with the kinds of their values, the most used first", () => {
    const parts = [
      { key: "status", type: "text", notes: 2 },
      { key: "due", type: "text", notes: 2 },
      { key: "status", type: "list", notes: 3 },
      { key: "a.b", type: "number", notes: 2 },
    ] as const;
    const rows = joinProperties(parts).map(({ key, notes, types }) => `${key} ${notes} ${types.join()}`);
    expect(rows).toEqual(["status 5 list,text", "a.b 2 number", "due 2 text"]);
  });

  it("counts the values of a key, case aside, equal counts by value", () => {
    const parts = [
      { text: "open", value: "Open", notes: 1 },
      { text: "12", value: "12", notes: 2 },
      { text: "5", value: "5", notes: 2 },
      { text: "open", value: "open", notes: 2 },
    ];
    expect(joinValues(parts).map(({ value, notes }) => `${value} ${notes}`)).toEqual([
      "Open 3",
      "5 2",
      "12 2",
    ]);
  });
});
