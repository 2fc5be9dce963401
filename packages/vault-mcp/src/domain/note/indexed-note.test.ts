import { expect, it } from "vitest";
import { loadYamlParser } from "../../adapters/load-yaml-parser.ts";
import { readIndexedNote } from "./indexed-note.ts";

const parseYaml = await loadYamlParser();
const read = (text: string) => readIndexedNote("n.md", { text, badLine: undefined }, parseYaml);

it("reads headings, block ids, aliases and links with their lines in the file", () => {
  const note = read(
    "---\naliases: [Ann, Ann, 7, {}]\nsee: '[[Far]]'\n---\n# A\n\ntext [[B#c]] ^one\n\n```\nno ^two [[x]]\n```\n## B ##\n| a ^r | b |\n",
  );
  expect(note.aliases).toEqual(["Ann", "7"]);
  expect(note.headings).toEqual([
    { level: 1, text: "A", line: 5 },
    { level: 2, text: "B", line: 12 },
  ]);
  expect(note.blocks).toEqual([
    { id: "one", line: 7 },
    { id: "r", line: 13 },
  ]);
  expect(note.links.map(({ path, kind, line }) => [path, kind, line])).toEqual([
    ["Far", "frontmatter", 3],
    ["B", "wikilink", 7],
  ]);
  expect(note.body.startsWith("# A\n")).toBe(true);
});

it("reads aliases that are one text", () => {
  expect(read("---\nalias: Home, Start\n---\n").aliases).toEqual(["Home", "Start"]);
});
