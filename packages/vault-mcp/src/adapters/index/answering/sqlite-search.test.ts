import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filledIndex } from "../../../../test/support/filled-index.ts";
import { everything } from "../../../domain/listing/listing.ts";
import { parseSearch } from "../../../domain/search/parse-search.ts";
import type { SearchRequest } from "../../../domain/search/vault-search.ts";
import { SqliteSearch } from "./sqlite-search.ts";

const scope = {
  ...everything,
  includeAttachments: false,
};

const signal = new AbortController().signal;

describe("search over SQLite", () => {
  let filled: Awaited<ReturnType<typeof filledIndex>>;
  let search: SqliteSearch;
  beforeAll(async () => {
    filled = await filledIndex({
      "Compost.md": "# Compost\n\nTurn the heap. Notes on worms.",
      "Soil.md": "# Soil\n\nCompost makes soil. File-back ingest. - [ ] task C++",
      "Old/Worms.md": "---\ntags: [compost]\n---\n# Worms\n\nRed worms and blue worms.",
      "植物メモ.md": "# 植物メモ\n\nこれは日本語のメモです。",
      "Thai.md": "สวัสดีครับ",
      "Party.md": "🎉 tonight",
      "empty.md": "",
    });
    search = new SqliteSearch(filled.connection, () => new Date());
  });
  afterAll(() => filled.dispose());

  const run = async (query: string, more: Partial<SearchRequest> = {}) =>
    search.search(
      {
        scope,
        wanted: { kind: "words", terms: parseSearch(query) },
        after: undefined,
        walk: undefined,
        limit: 10,
        ...more,
      },
      signal,
    );
  const paths = async (query: string, more: Partial<SearchRequest> = {}) =>
    (await run(query, more)).hits.map(({ document }) => document.path);
  const literal = async (text: string) => paths("", { wanted: { kind: "literal", text } });

  it("puts the title first, then tags, then the body", async () => {
    expect(await paths("compost")).toEqual(["Compost.md", "Old/Worms.md", "Soil.md"]);
  });

  it("takes all words, then words that begin so, then any", async () => {
    expect(await run("compost soil")).toMatchObject({ stage: "all", total: 1 });
    expect(await run("compos wor")).toMatchObject({ stage: "prefixes", total: 2 });
    expect(await run("compost nothing")).toMatchObject({ stage: "any", total: 3 });
    expect(await run("tag:compost")).toMatchObject({ stage: "any", total: 3 });
    expect(await run("heaps")).toMatchObject({ stage: "prefixes", total: 1 });
    expect(await run("tu nothing")).toMatchObject({ stage: "any", total: 0 });
    expect(await run("zebra")).toMatchObject({ stage: "any", total: 0 });
  });

  it.each([
    ['"blue worms"', ["Old/Worms.md"]],
    ['"worms blue"', []],
    ["worms -heap", ["Old/Worms.md"]],
    ["file-back ingest", ["Soil.md"]],
    ["日本", ["植物メモ.md"]],
    ["本語", ["植物メモ.md"]],
    ["植物", ["植物メモ.md"]],
    ["語", ["植物メモ.md"]],
    ["สวัส", ["Thai.md"]],
    ["🎉", ["Party.md"]],
    ["SOIL MAKES", ["Soil.md"]],
    ["what is soil", ["Soil.md"]],
    ['col:umn AND ( * ^ "', ["Old/Worms.md"]],
    ['col:umn NEAR(zebra) ( * ^ "', []],
  ])("%s", async (query, expected) => {
    expect(await paths(query)).toEqual(expected);
  });

  it("lets small words count where they are, and whole words more than begun ones", async () => {
    await filled.add({
      "p.md": "spade to dig",
      "q.md": "spade dig dig",
      "r.md": "shovels shovels",
      "s.md": "shovel handle",
    });
    expect(await paths("where to spade")).toEqual(["p.md", "q.md"]);
    expect(await paths("shovel nothing")).toEqual(["s.md", "r.md"]);
  });

  it("finds a text as it stands", async () => {
    expect(await literal("- [ ]")).toEqual(["Soil.md"]);
    expect(await literal("c++")).toEqual(["Soil.md"]);
    expect(await literal("C+++")).toEqual([]);
    expect(await literal("worms")).toEqual(["Old/Worms.md", "Compost.md"]);
  });

  it("keeps to what the scope selects", async () => {
    expect(await paths("worms", { scope: { ...scope, folder: "Old" } })).toEqual(["Old/Worms.md"]);
    expect(await paths("worms", { scope: { ...scope, tags: ["compost"] } })).toEqual(["Old/Worms.md"]);
  });
});

it("walks over the best 200, whatever changes meanwhile", async () => {
  const notes = Object.fromEntries(
    Array.from({ length: 250 }, (_, index) => [`n${index}.md`, `word ${"filler ".repeat(index)}`]),
  );
  const filled = await filledIndex(notes);
  const search = new SqliteSearch(filled.connection, () => new Date());
  const wanted = { kind: "words", terms: parseSearch("word") } as const;
  const seen: string[] = [];
  let after: number | undefined;
  let walk: SearchRequest["walk"];
  for (let pages = 0; pages < 20; pages += 1) {
    const page = await search.search({ scope, wanted, after, walk, limit: 30 }, signal);
    expect(page.total).toBe(200);
    expect(page.beyond).toBe(true);
    seen.push(...page.hits.map(({ document }) => document.path));
    if (pages === 1) await filled.add({ "n70.md": "word word word word", "new.md": "word" });
    if (pages > 1) expect(page.changedSince).toBe(true);
    after = page.hits.at(-1)?.id;
    walk = page.walk;
    if (!page.more) break;
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toEqual(
    Array.from({ length: 200 }, (_, index) => `n${index}.md`).filter((path) => path !== "n70.md"),
  );
  filled.dispose();
});

it("weighs what is deprecated, stale or an index in a bundle", async () => {
  const text = "shears shears";
  const files = {
    "index.md": text,
    "a.md": `---\nstatus: deprecated\n---\n${text}`,
    "b.md": `---\nstale_after: 2020-01-01\n---\n${text}`,
    "c.md": text,
  };
  const order = async (isBundle: boolean) => {
    const filled = await filledIndex(files, isBundle);
    const search = new SqliteSearch(filled.connection, () => new Date());
    const wanted = { kind: "words", terms: parseSearch("shears") } as const;
    const page = await search.search({ scope, wanted, after: undefined, walk: undefined, limit: 9 }, signal);
    filled.dispose();
    return page.hits.map(({ document }) => document.path);
  };
  expect(await order(true)).toEqual(["c.md", "b.md", "a.md", "index.md"]);
  expect(await order(false)).toEqual(["a.md", "b.md", "c.md", "index.md"]);
});
