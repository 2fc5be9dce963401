import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { listServers, root } from "./workspace.mjs";

const read = (...names: string[]) => readFileSync(path.join(root, ...names), "utf8");

/** The codes of a table of failures, as it stands in the source. */
function codesOf(source: string): string[] {
  return [...source.matchAll(/^ {2}([A-Z][A-Z_]+): \{$/gm)].map(([, code = ""]) => code);
}

/** The codes that begin the rows of tables. */
function rowsOf(text: string): string[] {
  const cells = [...text.matchAll(/^\| (`[^|]+`) \|/gm)].map(([, cell = ""]) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, code = ""]) => code));
}

const ofCore = codesOf(read("packages/core/src/failure.ts"));

test("docs/errors.md tells the codes that every server has, and no others", () => {
  expect(ofCore.length).toBeGreaterThan(0);
  expect(rowsOf(read("docs/errors.md")).sort()).toEqual([...ofCore].sort());
});

test.each(listServers().map(({ folder }) => folder))(
  "the README of %s tells of codes that exist",
  (folder) => {
    const own = codesOf(read("packages", folder, "src/tools/failures.ts"));
    const trouble = read("packages", folder, "README.md").split("## Troubleshooting")[1] ?? "";
    const told = rowsOf(trouble);
    expect(own.length).toBeGreaterThan(0);
    expect(told.length).toBeGreaterThan(0);
    expect(told.filter((code) => ![...own, ...ofCore].includes(code))).toEqual([]);
  },
);
