import fc from "fast-check";
import { expect, it } from "vitest";
import type { Document } from "../domain/document.ts";
import { readIndexedNote } from "../domain/indexed-note.ts";
import type { ListQuery, ListRequest } from "../domain/listing.ts";
import type { SortKey, SortPosition } from "../domain/sort-order.ts";
import { DocumentStore } from "./document-store.ts";
import { createYamlParser } from "./yaml-frontmatter.ts";

const parseYaml = createYamlParser();

type Draft = { weight: number | string | undefined; size: number };

function put(store: DocumentStore, path: string, { weight, size }: Draft): void {
  const change = store.change();
  const yaml = weight === undefined ? "" : `---\nw: ${JSON.stringify(weight)}\n---\n`;
  const facts = readIndexedNote(path, { text: yaml, badLine: undefined }, parseYaml).facts;
  const times = { modifiedAt: size, createdAt: size, sizeBytes: size };
  const document: Document = {
    path,
    ...facts,
    ...times,
    kind: "note",
    etag: undefined,
    changedIn: change.generation,
  };
  change.put(document);
}

function queryBy(key: SortKey, descending: boolean): ListQuery {
  return {
    folder: undefined,
    conditions: [],
    pattern: undefined,
    tags: [],
    modifiedFrom: undefined,
    modifiedBefore: undefined,
    includeAttachments: true,
    order: { key, descending },
  };
}

const names = fc.string({
  unit: fc.constantFrom("a", "B", "/", "é", "\uffee", "🌱", "z"),
  minLength: 1,
  maxLength: 5,
});
const draft = fc.record({
  weight: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constantFrom("x", "Y", undefined)),
  size: fc.integer({ min: 0, max: 5 }),
});
const start = fc.dictionary(names, draft, { maxKeys: 14, noNullPrototype: true });
const edit = fc.record({
  after: fc.integer({ min: 0, max: 8 }),
  name: names,
  draft: fc.option(draft, { nil: undefined }),
});
const key = fc.constantFrom<SortKey>("path", "title", "size", "modified", { property: "w" });

it("a walk gives each lasting document once, by path, or at most once by another key, and ends", () => {
  fc.assert(
    fc.property(
      start,
      fc.array(edit, { maxLength: 8 }),
      key,
      fc.boolean(),
      fc.integer({ min: 1, max: 4 }),
      (...given) => {
        const [documents, edits, sort, descending, limit] = given;
        const store = new DocumentStore("off", () => new Date(0));
        for (const [path, facts] of Object.entries(documents)) put(store, path, facts);
        const touched = new Set(edits.map(({ name }) => name));
        const query = queryBy(sort, descending);
        const seen: string[] = [];
        let request: ListRequest = { query, after: undefined, walk: undefined, limit };
        for (let pages = 0; ; pages += 1) {
          expect(pages).toBeLessThan(40);
          const page = store.list(request);
          seen.push(...page.documents.map(({ document }) => document.path));
          if (!page.more) break;
          const after = page.documents.at(-1)?.position as SortPosition;
          request = { query, after, walk: sort === "path" ? undefined : page.walk, limit };
          for (const { name, draft: facts } of edits.filter((one) => one.after === pages)) {
            if (facts === undefined) store.change().remove(name);
            else put(store, name, facts);
          }
        }
        expect(new Set(seen).size).toBe(seen.length);
        const lasting = Object.keys(documents).filter((path) => !touched.has(path));
        expect(seen).toEqual(expect.arrayContaining(lasting));
      },
    ),
    { numRuns: 500 },
  );
});

it("pages of any size give the whole in one order, which is turned around but for what comes last", () => {
  fc.assert(
    fc.property(start, key, fc.integer({ min: 1, max: 5 }), (documents, sort, limit) => {
      const store = new DocumentStore("off", () => new Date(0));
      for (const [path, facts] of Object.entries(documents)) put(store, path, facts);
      for (const descending of [false, true]) {
        const query = queryBy(sort, descending);
        const whole = store.list({ query, after: undefined, walk: undefined, limit: 100 });
        expect(whole.total).toBe(Object.keys(documents).length);
        const seen: string[] = [];
        let after: SortPosition | undefined;
        do {
          const page = store.list({ query, after, walk: undefined, limit });
          seen.push(...page.documents.map(({ document }) => document.path));
          after = page.more ? page.documents.at(-1)?.position : undefined;
        } while (after !== undefined);
        expect(seen).toEqual(whole.documents.map(({ document }) => document.path));
        if (sort === "path") {
          const bytes = Object.keys(documents).map((path) => Buffer.from(path));
          const sorted = bytes.sort((a, b) => a.compare(b)).map(String);
          expect(seen).toEqual(descending ? sorted.reverse() : sorted);
        }
      }
    }),
  );
});

it("refuses a walk of another life, and tells when something changed within one", () => {
  const store = new DocumentStore("off", () => new Date(0));
  for (const path of ["a", "b", "c"]) put(store, path, { weight: 1, size: 1 });
  const query = queryBy("size", false);
  const first = store.list({ query, after: undefined, walk: undefined, limit: 1 });
  const after = first.documents[0]?.position;
  expect(store.list({ query, after, walk: first.walk, limit: 9 })).toMatchObject({ changedSince: false });
  put(store, "b", { weight: 1, size: 9 });
  const second = store.list({ query, after, walk: first.walk, limit: 9 });
  expect(second.changedSince).toBe(true);
  expect(second.documents.map(({ document }) => document.path)).toEqual(["c"]);
  const other = new DocumentStore("off", () => new Date(0));
  expect(() => other.list({ query, after, walk: first.walk, limit: 9 })).toThrow(
    expect.objectContaining({ code: "INVALID_CURSOR" }),
  );
});
