import { describe, expect, it } from "vitest";
import type { DocumentIndex, IndexProgress } from "../domain/document-index.ts";
import type { ListPage, ListRequest } from "../domain/listing/listing.ts";
import { createVisibility } from "../domain/visibility.ts";
import type { VaultDeps } from "./define.ts";
import { listDocuments } from "./list-documents.ts";

interface Scene {
  readonly progress?: Partial<IndexProgress>;
  readonly settles?: boolean;
  readonly page?: Partial<ListPage>;
}

const document = {
  kind: "note",
  path: "a.md",
  title: "A",
  frontmatter: { x: 1 },
  tags: [],
  contentChars: 1,
  parseError: undefined,
  etag: "0123456789abcdef",
  modifiedAt: 0,
  createdAt: 0,
  sizeBytes: 1,
  changedIn: 1,
} as const;

/** Runs the tool over an index that answers as told, and says what it was asked. */
async function run(
  args: Record<string, unknown>,
  { progress, settles = true, page }: Scene = {},
  walk?: ListPage["walk"],
) {
  const requests: ListRequest[] = [];
  const waits: [string, number][] = [];
  const index = {
    ready: async (maxMs: number) => {
      waits.push(["ready", maxMs]);
      return { state: "ready", indexed: 1, found: 1, stale: false, ...progress };
    },
    settle: async (maxMs: number) => {
      waits.push(["settle", maxMs]);
      return settles;
    },
    list: async (request: ListRequest) => {
      requests.push(request);
      const position = { path: "a.md", rank: 2, number: 0, text: "" };
      return {
        documents: [{ document, position, okf: undefined }],
        more: true,
        total: 2,
        walk: { epoch: "e", generation: 7 },
        changedSince: false,
        hints: [],
        ...page,
      };
    },
  } as unknown as DocumentIndex;
  const visibility = createVisibility({ exclude: [], attachments: [] });
  const deps = { index, visibility, place: { roots: [], windows: false } } as unknown as VaultDeps;
  const signal = new AbortController().signal;
  const context = { signal, budget: 40_000, client: "test", progress: () => {}, after: undefined, walk };
  const answer = await listDocuments.run(listDocuments.input.parse(args), deps, context);
  return { answer, requests, waits };
}

describe("list_documents", () => {
  it("waits for the first index, and for pending changes when it is told to", async () => {
    expect((await run({})).waits).toEqual([["ready", 5_000]]);
    expect((await run({ wait_for_pending_writes: true })).waits).toEqual([
      ["settle", 30_000],
      ["ready", 5_000],
    ]);
  });

  it("says that the index lags behind, and why", async () => {
    const fresh = (await run({ wait_for_pending_writes: true })).answer;
    expect(fresh).toMatchObject({
      fields: { total: 2, index_stale: false },
      meta: { index_stale: false },
      note: undefined,
    });
    const building = { progress: { state: "building", indexed: 3, found: 8, stale: true } as const };
    expect((await run({}, building)).answer).toMatchObject({
      fields: { index_stale: true },
      meta: { index_stale: true },
      note: expect.stringContaining("indexed 3 of 8 files"),
    });
    expect((await run({ wait_for_pending_writes: true }, { settles: false })).answer).toMatchObject({
      fields: { index_stale: true },
      note: expect.stringContaining("took too long"),
    });
  });

  it("keeps a walk in mind for orders that can change, and none for paths", async () => {
    expect((await run({})).answer.walk).toBeUndefined();
    expect((await run({ sort: "size" })).answer.walk).toEqual({ epoch: "e", generation: 7 });
    const walk = { epoch: "e", generation: 5 };
    expect((await run({ sort: "size" }, {}, walk)).requests[0]?.walk).toEqual(walk);
  });

  it("leaves the frontmatter out when it is told to, and marks the tag as partial", async () => {
    const entryOf = async (args: Record<string, unknown>) => (await run(args)).answer.entries[0]?.entry;
    expect(await entryOf({})).toMatchObject({ frontmatter: { x: 1 }, etag: "0123456789abcdef-partial" });
    expect(await entryOf({ include_frontmatter: false })).not.toHaveProperty("frontmatter");
  });

  it("hands the query on as it is meant", async () => {
    const args = {
      folder: "/S/",
      pattern: "*.md",
      tags: ["#a"],
      modified_after: "2031-02-03",
      order: "desc",
      limit: 7,
    };
    const { requests } = await run(args);
    expect(requests[0]).toMatchObject({
      limit: 7,
      query: {
        folder: "S",
        pattern: "*.md",
        tags: ["#a"],
        modifiedFrom: new Date(2031, 1, 3).getTime(),
        order: { key: "path", descending: true },
      },
    });
  });

  it.each([
    [{ sort: "colour" }, "INVALID_ARGUMENT"],
    [{ sort: "frontmatter." }, "INVALID_ARGUMENT"],
    [{ tags: [" "] }, "INVALID_ARGUMENT"],
    [{ modified_before: "soon" }, "INVALID_ARGUMENT"],
    [{ filters: { a: { near: 1 } } }, "INVALID_ARGUMENT"],
    [{ folder: "a/../.." }, "PATH_OUTSIDE_VAULT"],
    [{ folder: ".git" }, "PATH_HIDDEN"],
  ])("refuses %j before it waits", async (args, code) => {
    await expect(run(args)).rejects.toMatchObject({ code });
  });
});
