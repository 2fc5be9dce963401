import { expect, it } from "vitest";
import { createYamlParser } from "../adapters/yaml-frontmatter.ts";
import { parseFilters } from "./filters.ts";
import { readIndexedNote } from "./indexed-note.ts";
import { findHints } from "./list-hints.ts";
import type { ListQuery } from "./listing.ts";
import type { Snapshot } from "./snapshot.ts";

const parseYaml = createYamlParser();
const texts: Record<string, string> = {
  "a.md": "---\nStatus: x\nouter: {inner: 1}\n---\n#project/garden",
  "b/c.md": "---\nempty:\n---\n",
};
const snapshot: Snapshot = {
  documents: Object.entries(texts).map(([path, text]) => ({
    path,
    ...readIndexedNote(path, { text, badLine: undefined }, parseYaml).facts,
    kind: "note",
    etag: undefined,
    modifiedAt: 0,
    createdAt: 0,
    sizeBytes: 0,
    changedIn: 1,
  })),
  folders: new Set(["b", "Caf\u00e9"]),
  isBundle: false,
};

function hints(asked: Partial<ListQuery>, bundle = false) {
  const query: ListQuery = {
    folder: undefined,
    conditions: [],
    pattern: undefined,
    tags: [],
    modifiedFrom: undefined,
    modifiedBefore: undefined,
    includeAttachments: false,
    order: { key: "path", descending: false },
    ...asked,
  };
  return findHints({ ...snapshot, isBundle: bundle }, query, new Date(0));
}

it("says nothing of what is there", () => {
  for (const folder of [undefined, "", "b", "Cafe\u0301"]) expect(hints({ folder })).toEqual([]);
  expect(hints({ conditions: parseFilters({ Status: "none", "outer.inner": 2, empty: null }) })).toEqual([]);
  expect(hints({ tags: ["project", "PROJECT/Garden"] })).toEqual([]);
});

it("names what is near to what is not", () => {
  expect(hints({ folder: "Cafe" })).toMatchObject([{ kind: "folder", nearest: ["Caf\u00e9"] }]);
  expect(hints({ conditions: parseFilters({ status: "x" }) })).toMatchObject([
    { kind: "key", nearest: ["Status"] },
  ]);
  expect(hints({ conditions: parseFilters({ "outer.iner": 1 }) })).toMatchObject([
    { nearest: expect.arrayContaining(["outer.inner"]) },
  ]);
  expect(hints({ tags: ["projekt"] })).toMatchObject([{ kind: "tag", nearest: ["project"] }]);
});

it("knows the keys of a bundle, and which values they have", () => {
  expect(hints({ conditions: parseFilters({ status: "stable" }) }, true)).toEqual([]);
  expect(hints({ conditions: parseFilters({ trust_tier: "human" }) }, true)).toEqual([
    { kind: "value", key: "trust_tier", name: "human", known: ["unverified"] },
  ]);
});
