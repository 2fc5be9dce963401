import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Entry } from "./entry.ts";
import { indexAfter, type Listing, ListingBuilder, type ListingOptions } from "./listing.ts";
import { comparePositions, type Position, positionOf, type SortKey, type SortOrder } from "./order.ts";
import { rawNameOf } from "./raw-name.ts";

function entry(name: string, size: number | null = 0): Entry {
  return { name: rawNameOf(name), type: "file", size, mode: null, mtime: size, uid: null, gid: null };
}

function build(entries: readonly Entry[], options: Partial<ListingOptions> = {}): Listing {
  const builder = new ListingBuilder({ sort: "name", order: "asc", after: undefined, keep: 100, ...options });
  for (const each of entries) builder.add(each, true);
  return builder.finish();
}

const names = fc.uniqueArray(fc.string({ unit: "binary", minLength: 1, maxLength: 4 }), { maxLength: 40 });
const sorting = fc.record({
  sort: fc.constantFrom<SortKey>("name", "size", "mtime"),
  order: fc.constantFrom<SortOrder>("asc", "desc"),
});

/** Walks through all pages, reading the directory again for each; `next` gives it as it is then. */
function walk(
  next: () => readonly Entry[],
  options: { sort: SortKey; order: SortOrder },
  page: number,
): Entry[] {
  const walked: Entry[] = [];
  let after: Position | undefined;
  for (;;) {
    const { entries, complete } = build(next(), { ...options, after, keep: page });
    walked.push(...entries);
    const last = entries.at(-1);
    if (complete || last === undefined) return walked;
    after = positionOf(last, options.sort);
  }
}

describe("ListingBuilder", () => {
  test("keeps the first entries in order and counts all, however they come", () => {
    const entries = fc
      .tuple(names, fc.infiniteStream(fc.nat(3)))
      .map(([list, sizes]) => list.map((name) => entry(name, sizes.next().value)));
    fc.assert(
      fc.property(entries, sorting, fc.integer({ min: 1, max: 50 }), (all, options, keep) => {
        const listing = build(all, { ...options, keep });
        const compare = comparePositions(options.order);
        const sorted = all.toSorted((a, b) =>
          compare(positionOf(a, options.sort), positionOf(b, options.sort)),
        );
        expect(listing.entries).toEqual(sorted.slice(0, keep));
        expect(listing).toMatchObject({
          total: all.length,
          inDirectory: all.length,
          complete: all.length <= keep,
        });
      }),
    );
  });

  test("a walk by name returns what lasts exactly once and ends, whatever comes and goes between its pages", () => {
    const step = fc.record({ add: names, remove: names });
    fc.assert(
      fc.property(
        names,
        names,
        fc.array(step),
        sorting,
        fc.integer({ min: 1, max: 7 }),
        (lasting, others, steps, { order }, page) => {
          const present = new Set(others);
          const changes = [...steps];
          const walked = walk(
            () => {
              const change = changes.shift();
              for (const name of change?.add ?? []) present.add(name);
              for (const name of change?.remove ?? []) present.delete(name);
              return [...new Set([...present, ...lasting])].map((name) => entry(name));
            },
            { sort: "name", order },
            page,
          ).map(({ name }) => name);
          expect(new Set(walked).size).toBe(walked.length);
          for (const name of lasting) expect(walked).toContain(rawNameOf(name));
        },
      ),
    );
  });

  test("lists a name once, the first of it, and tells which came twice", () => {
    const listing = build([entry("b", 1), entry("a", 2), entry("b", 3)]);
    expect(listing.entries).toEqual([entry("a", 2), entry("b", 1)]);
    expect(listing).toMatchObject({ total: 2, inDirectory: 2 });
    expect([...listing.duplicates]).toEqual(["b"]);
  });

  test("counts what the filters leave out", () => {
    const builder = new ListingBuilder({ sort: "name", order: "asc", after: undefined, keep: 10 });
    builder.add(entry("a"), true);
    builder.add(entry("b"), false);
    expect(builder.finish()).toMatchObject({ total: 1, inDirectory: 2, complete: true });
  });

  test("bounds what it remembers", () => {
    const listing = build(
      Array.from({ length: 1_000 }, (_, index) => entry(`n${index % 500}`)),
      { keep: 50 },
    );
    expect(listing.entries).toHaveLength(50);
    expect(listing.duplicates.size).toBeLessThanOrEqual(100);
  });

  test("what has no size comes before what has one", () => {
    expect(
      build([entry("a", 0), entry("b", null)], { sort: "size" }).entries.map(({ name }) => name),
    ).toEqual(["b", "a"]);
  });
});

test("indexAfter finds the first entry after a position, also of an entry that is gone", () => {
  const entries = ["a", "c", "e"].map((name) => entry(name));
  const at = (name: string): number =>
    indexAfter(entries, { value: null, name: rawNameOf(name) }, { sort: "name", order: "asc" });
  expect(["A", "a", "b", "c", "e", "f"].map(at)).toEqual([0, 1, 1, 2, 3, 3]);
  expect(indexAfter(entries, undefined, { sort: "name", order: "asc" })).toBe(0);
});
