import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SqliteSearch } from "../../src/adapters/index/answering/sqlite-search.ts";
import { parseSearch } from "../../src/domain/search/parse-search.ts";
import { openIndex } from "../support/open-index.ts";
import { type ExpectedHit, exampleQueries, realQueries } from "./queries.ts";

const inRepository = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

const vaults: readonly { name: string; folder: string; queries: readonly ExpectedHit[] }[] = [
  { name: "the example vault", folder: inRepository("examples/vault"), queries: exampleQueries },
  // Beside the repository where there is one.
  { name: "a real vault", folder: inRepository("../shared/data/kepano-vault"), queries: realQueries },
];

const present = vaults.filter(({ name, folder }) => {
  const isThere = existsSync(folder);
  if (!isThere) console.warn(`SKIPPED: search over ${name}, which is not beside this repository`);
  return isThere;
});

describe.each(present)("search over $name", ({ folder, queries }) => {
  let root: string;
  let opened: ReturnType<typeof openIndex>;
  let search: SqliteSearch;
  beforeAll(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "vault-mcp-quality-")));
    cpSync(folder, root, { recursive: true });
    opened = openIndex(root);
    search = new SqliteSearch(opened.connection, () => new Date(2031, 3, 15));
  });
  afterAll(async () => {
    await opened.index.close();
    for (const path of [root, `${root}.index`]) rmSync(path, { recursive: true, force: true });
  });

  it.each(queries)("$query: $first", async ({ query, first, match }) => {
    const { signal } = new AbortController();
    await opened.index.ready(20_000, signal);
    const { order: _, ...scope } = opened.query();
    const wanted =
      match === "literal"
        ? ({ kind: "literal", text: query } as const)
        : ({ kind: "words", terms: parseSearch(query) } as const);
    const page = await search.search({ scope, wanted, after: undefined, walk: undefined, limit: 5 }, signal);
    expect(
      page.hits.map(({ document }) => document.path)[0],
      JSON.stringify(page.hits.map(({ document, score }) => [document.path, score])),
    ).toBe(first);
  });
});
