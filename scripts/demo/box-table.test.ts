import { expect, test } from "vitest";
import { boxTable } from "./box-table.ts";
import { fitText, textWidth } from "./text-width.ts";

const columns = [
  { head: "name", show: ({ name }: { name: string; size: number }) => name },
  { head: "size", align: "right" as const, show: ({ size }: { name: string; size: number }) => String(size) },
];

test("is as wide as its content where the terminal is wider", () => {
  expect(boxTable(columns, [{ name: "roof.md", size: 12 }], 80).split("\n")).toEqual([
    "┌─────────┬──────┐",
    "│ name    │ size │",
    "├─────────┼──────┤",
    "│ roof.md │   12 │",
    "└─────────┴──────┘",
  ]);
});

test("is never wider than the terminal, and all its lines are equally wide", () => {
  const rows = [
    { name: "a name that is much too long for this terminal.md", size: 1 },
    { name: "日本語のとても長い名前のノート、端末には広すぎる.md", size: 2 },
    { name: "e\u0301clair 🍰.md", size: 3 },
  ];
  for (const width of [24, 31, 40]) {
    const widths = boxTable(columns, rows, width).split("\n").map(textWidth);
    expect(new Set(widths), `at ${width}`).toEqual(new Set([width]));
  }
});

test("lets other columns give way before a key", () => {
  const keyed = [
    { ...columns[0], head: "path", isKey: true, show: () => "folder/a-note.md" },
    { head: "title", show: () => "a long title of a note" },
  ];
  expect(boxTable(keyed, [{ name: "", size: 0 }], 34)).toContain("│ folder/a-note.md │ a long tit… │");
});

test("shows control characters as dots, so that none moves the cursor", () => {
  expect(boxTable(columns, [{ name: "a\u001b[2Jb\nc", size: 1 }], 80)).toContain("│ a·[2Jb·c │");
});

test("counts two columns for ideographs and emoji, none for marks", () => {
  expect(["abc", "日本", "e\u0301", "🍰"].map(textWidth)).toEqual([3, 4, 1, 2]);
});

test("never cuts a character in half", () => {
  expect(fitText("日本語", 4)).toBe("日… ");
  expect(fitText("日本語", 5)).toBe("日本…");
});
