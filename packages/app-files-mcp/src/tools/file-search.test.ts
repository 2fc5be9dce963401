import { expect, test } from "vitest";
import { searchFiles } from "../domain/search-files.ts";
import { createToolBench, type ToolBench } from "../testing/tool-bench.ts";
import { fileSearch } from "./file-search.ts";
import { fileWrite } from "./file-write.ts";

const app = "notes";

async function store(bench: ToolBench, files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const data =
      typeof content === "string"
        ? { text: content }
        : { data_base64: Buffer.from(content).toString("base64") };
    await bench.call(fileWrite, { app, path, ...data });
  }
}

interface Found {
  readonly entries: readonly { readonly entry: { readonly path: string; readonly line: number } }[];
  readonly more: boolean;
  readonly note?: string;
  fields(cut: { returned: number }): { skipped_binary: number };
}
const placesOf = ({ entries }: Found) => entries.map(({ entry: { path, line } }) => `${path}:${line}`);

test("finds text in text files alone, and counts the others", async () => {
  const bench = createToolBench();
  await store(bench, {
    "a.txt": "needle\n\nneedle",
    "b.bin": Buffer.from([0, ...Buffer.from("needle"), 255]),
    "c/d.md": "no\nneedle",
    "e.txt": "Needle",
  });
  const found: Found = await bench.call(fileSearch, { app, query: "needle" });
  expect(placesOf(found)).toEqual(["a.txt:1", "a.txt:3", "c/d.md:2"]);
  expect(found.fields({ returned: 3 }).skipped_binary).toBe(1);
  expect(found.fields({ returned: 1 }).skipped_binary).toBe(0);
  expect(found.more).toBe(false);
  const narrowed = async (more: object) =>
    placesOf(await bench.call(fileSearch, { app, query: "needle", ...more }));
  expect(await narrowed({ prefix: "c/" })).toEqual(["c/d.md:2"]);
  expect(await narrowed({ pattern: "*.md" })).toEqual(["c/d.md:2"]);
  expect(await narrowed({ ignore_case: true, prefix: "e" })).toEqual(["e.txt:1"]);
  expect(await narrowed({ query: "nothing" })).toEqual([]);
});

test("reaches the one hit behind hundreds of files without any", async () => {
  const bench = createToolBench();
  for (let n = 0; n < 450; n++) await store(bench, { [`a${n}`]: "hay" });
  await store(bench, { zz: "needle" });
  expect(placesOf(await bench.call(fileSearch, { app, query: "needle" }))).toEqual(["zz:1"]);
});

test("ends a page on its budget, and goes on to find all of it once", async () => {
  const bench = createToolBench();
  const text = `${"hay\n".repeat(800_000)}needle\n`;
  await store(bench, { a: text, b: text, c: "needle needle\nneedle" });
  let time = 0;
  const budget = { bytes: 1_000_000, ms: 1e9, now: () => time };
  const query = { app, text: { text: "needle", ignoreCase: false }, filter: {}, limit: 10 };
  const hits: string[] = [];
  let pages = 0;
  let empty = 0;
  let after: { path: string; offset: number | null } | undefined;
  do {
    const page = await searchFiles({ ...query, after }, bench.deps.store, budget);
    hits.push(...page.hits.map(({ path, line }) => `${path}:${line}`));
    if (page.hits.length === 0) empty += 1;
    expect(page.isExhausted).toBe(page.end !== undefined);
    after = page.end;
    pages += 1;
  } while (after !== undefined);
  expect(hits).toEqual(["a:800001", "b:800001", "c:1", "c:2"]);
  expect(pages).toBeGreaterThan(2);
  expect(empty).toBeGreaterThan(0);

  // By the clock as well: time passes with every look at it.
  const slow = { bytes: 1e12, ms: 1, now: () => time++ };
  const page = await searchFiles(query, bench.deps.store, slow);
  expect(page).toMatchObject({ hits: [], isExhausted: true, end: { path: "a" } });
});

test("says so when a page ended early, and names similar apps", async () => {
  const bench = createToolBench();
  await store(bench, { a: "hay" });
  const unknown: Found = await bench.call(fileSearch, { app: "note", query: "x" });
  expect(unknown).toMatchObject({ entries: [], note: "No app note has files yet; similar apps: notes." });
  let time = 0;
  Object.assign(bench.deps, { now: () => (time += 10_000) });
  const page: Found = await bench.call(fileSearch, { app, query: "x" });
  expect(page).toMatchObject({
    entries: [],
    more: true,
    note: expect.stringContaining("go on with next_cursor"),
  });
});

test("refuses what can be in no text", async () => {
  const bench = createToolBench();
  expect(await bench.refusal(fileSearch, { app, query: "\ud800" })).toMatch(
    /^INVALID_ARGUMENT: query: has half/,
  );
});
