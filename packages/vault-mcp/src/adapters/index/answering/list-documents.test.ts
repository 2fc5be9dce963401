import fc from "fast-check";
import { expect, it } from "vitest";
import { selectDocuments } from "../../../../test/support/select-documents.ts";
import { writtenIndex } from "../../../../test/support/written-index.ts";
import { compareBinary } from "../../../domain/fold.ts";
import type { JsonObject } from "../../../domain/json.ts";
import { type Condition, parseFilters } from "../../../domain/listing/filters.ts";
import { everything, type ListQuery, type ListRequest } from "../../../domain/listing/listing.ts";
import type { SortKey, SortPosition } from "../../../domain/listing/sort-order.ts";
import { idsOf } from "./id-set.ts";

type Index = Awaited<ReturnType<typeof writtenIndex>>;
type Draft = { weight: number | string | undefined; size: number };

const put = (index: Index, path: string, { weight, size }: Draft) =>
  index.put(path, weight === undefined ? "" : `---\nw: ${JSON.stringify(weight)}\n---\n`, size);

function queryBy(key: SortKey, descending: boolean): ListQuery {
  return {
    ...everything,
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
const start = fc.dictionary(names, draft, { maxKeys: 12, noNullPrototype: true });
const edit = fc.record({
  after: fc.integer({ min: 0, max: 8 }),
  name: names,
  draft: fc.option(draft, { nil: undefined }),
});
const key = fc.constantFrom<SortKey>("path", "title", "size", "modified", "created", { property: "w" });

async function filled(documents: Readonly<Record<string, Draft>>): Promise<Index> {
  const index = await writtenIndex();
  for (const [path, facts] of Object.entries(documents)) await put(index, path, facts);
  return index;
}

it("a walk gives each lasting document once, by path, or at most once by another key, and ends", async () => {
  const edits = fc.array(edit, { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(start, edits, key, fc.boolean(), fc.integer({ min: 1, max: 4 }), async (...given) => {
      const [documents, changes, sort, descending, limit] = given;
      const index = await filled(documents);
      try {
        const touched = new Set(changes.map(({ name }) => name));
        const query = queryBy(sort, descending);
        const seen: string[] = [];
        let request: ListRequest = { query, after: undefined, walk: undefined, limit };
        for (let pages = 0; ; pages += 1) {
          expect(pages).toBeLessThan(40);
          const page = await index.list(request);
          seen.push(...page.documents.map(({ document }) => document.path));
          if (!page.more) break;
          const after = page.documents.at(-1)?.position as SortPosition;
          request = { query, after, walk: sort === "path" ? undefined : page.walk, limit };
          for (const { name, draft: facts } of changes.filter((one) => one.after === pages)) {
            if (facts === undefined) await index.remove(name);
            else await put(index, name, facts);
          }
        }
        expect(new Set(seen).size).toBe(seen.length);
        const lasting = Object.keys(documents).filter((path) => !touched.has(path));
        expect(seen).toEqual(expect.arrayContaining(lasting));
      } finally {
        index.dispose();
      }
    }),
    { numRuns: 60 },
  );
});

it("pages of any size give the whole in one order, which is turned around but for what comes last", async () => {
  await fc.assert(
    fc.asyncProperty(start, key, fc.integer({ min: 1, max: 5 }), async (documents, sort, limit) => {
      const index = await filled(documents);
      try {
        for (const descending of [false, true]) {
          const query = queryBy(sort, descending);
          const whole = await index.list({ query, after: undefined, walk: undefined, limit: 100 });
          expect(whole.total).toBe(Object.keys(documents).length);
          const seen: string[] = [];
          let after: SortPosition | undefined;
          do {
            const page = await index.list({ query, after, walk: undefined, limit });
            seen.push(...page.documents.map(({ document }) => document.path));
            after = page.more ? page.documents.at(-1)?.position : undefined;
          } while (after !== undefined);
          expect(seen).toEqual(whole.documents.map(({ document }) => document.path));
          if (sort === "path") {
            const sorted = Object.keys(documents).sort(compareBinary);
            expect(seen).toEqual(descending ? sorted.reverse() : sorted);
          }
        }
      } finally {
        index.dispose();
      }
    }),
    { numRuns: 40 },
  );
});

it("refuses a walk of another index, and tells when something changed within one", async () => {
  const documents = { a: { weight: 1, size: 1 }, b: { weight: 1, size: 1 }, c: { weight: 1, size: 1 } };
  const [index, other] = [await filled(documents), await filled({})];
  const query = queryBy("size", false);
  const first = await index.list({ query, after: undefined, walk: undefined, limit: 1 });
  const after = first.documents[0]?.position;
  const rest = { query, after, walk: first.walk, limit: 9 };
  expect(await index.list(rest)).toMatchObject({ changedSince: false });
  await put(index, "b", { weight: 1, size: 9 });
  const second = await index.list(rest);
  expect(second.changedSince).toBe(true);
  expect(second.documents.map(({ document }) => document.path)).toEqual(["c"]);
  await expect(other.list(rest)).rejects.toMatchObject({ code: "INVALID_CURSOR" });
  index.dispose();
  other.dispose();
});

const scalar = fc.constantFrom(
  0,
  5,
  1.5,
  -3,
  1e21,
  true,
  false,
  "",
  "5",
  "Draft",
  "draft",
  "ß",
  "SS",
  "a.b",
  "x".repeat(1_200),
);
const value = fc.oneof(
  scalar,
  fc.constant(null),
  fc.array(fc.oneof(scalar, fc.constant(null)), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom("b", "c"), scalar, { maxKeys: 2, noNullPrototype: true }),
  fc.array(fc.dictionary(fc.constantFrom("b", "c"), scalar, { maxKeys: 2, noNullPrototype: true }), {
    minLength: 1,
    maxLength: 2,
  }),
);
const keys = fc.constantFrom("a", "b", "a.b", "a.c", "e\u0301", "status", "stale", "stale_after", "verified");
const frontmatter = fc.dictionary(keys, value, { maxKeys: 4, noNullPrototype: true });
const operand = fc.oneof(
  scalar,
  fc.array(scalar, { minLength: 1, maxLength: 2 }),
  fc.record({ ne: scalar }),
  fc.record({ in: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
  fc.record({ exists: fc.boolean() }),
  ...["gt", "gte", "lt", "lte"].map((operator) => scalar.map((one) => ({ [operator]: one }))),
);
const filters = fc.dictionary(
  fc.constantFrom("a", "b", "a.b", "a.c", "\u00e9", "status", "stale", "trust_tier"),
  operand,
  {
    minKeys: 1,
    maxKeys: 2,
    noNullPrototype: true,
  },
);

it("filters select the documents that they select one by one, in each order", async () => {
  const notes = fc.array(frontmatter, { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      notes,
      fc.array(filters, { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      async (all, asked, bundle) => {
        const index = await writtenIndex(bundle ? "on" : "off");
        try {
          for (const [at, data] of all.entries())
            await index.put(`n${at}.md`, `---\n${JSON.stringify(data)}\n---\n`);
          await index.put("broken.md", "---\na: [\n---\n");
          for (const one of asked) {
            const conditions: readonly Condition[] = parseFilters(one as JsonObject);
            const order = { key: { property: "a" }, descending: false };
            const query = { ...queryBy("path", false), conditions, order };
            const { documents, found } = await index.answering.read((view) => ({
              documents: view.documents(view.ids("SELECT id FROM document ORDER BY path")),
              found: view.documents(idsOf(view.select(query))).map(({ path }) => path),
            }));
            const expected = selectDocuments({ documents, isBundle: bundle }, query, new Date(0));
            const listed = await index.list({ query, after: undefined, walk: undefined, limit: 100 });
            expect(listed.documents.map(({ document }) => document.path)).toEqual(
              expected.documents.map(({ path }) => path),
            );
            expect(found.sort()).toEqual(expected.documents.map(({ path }) => path).sort());
          }
        } finally {
          index.dispose();
        }
      },
    ),
    { numRuns: 60 },
  );
});
