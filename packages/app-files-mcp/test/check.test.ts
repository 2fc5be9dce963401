import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@mcp-file-servers/sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSqliteStore, databaseName } from "../src/adapters/sqlite/sqlite-store.ts";
import { describeContent } from "../src/domain/content.ts";
import { defaultLimits, defaultRetention } from "../src/domain/limits.ts";
import { readAll } from "../src/domain/read-window.ts";
import type { FileStore } from "../src/domain/store.ts";
import { damage, putter } from "./world.ts";

let data: string;
let names = 0;
let store: FileStore;

function open(readOnly = false): FileStore {
  return createSqliteStore({
    folder: data,
    limits: defaultLimits,
    retention: defaultRetention,
    readOnly,
    now: Date.now,
    nextName: () => `check-${names++}`,
    onError: (error) => {
      throw error;
    },
  });
}

const large = (n: number) => Buffer.alloc(100_000, n);
const shaOf = (bytes: Uint8Array) => describeContent(bytes).sha256;
const placeOf = (sha256: string) => join(data, "blobs", sha256.slice(0, 2), sha256);
const sound = { damaged: [], damagedChunks: [], database: [], repaired: [] };

beforeEach(async () => {
  data = join(await mkdtemp(join(tmpdir(), "app-files-check-")), "data");
  store = open();
  const put = putter(store);
  for (const n of [1, 2]) await put("notes", "f", large(n));
  await put("notes", "small", "small\n");
  await put("other", "same", large(2));
});

afterEach(async () => {
  store.close();
  await rm(join(data, ".."), { recursive: true });
});

/** Changes the database behind the store's back. */
async function change(sql: string): Promise<void> {
  const database = await openDatabase(join(data, databaseName), { synchronous: "FULL" });
  await database.write(({ exec }) => exec(sql));
  database.close();
}

test("a store that is well is sound, and told how far the check is", async () => {
  const told: [number, number][] = [];
  const report = await store.check({ progress: (...far) => told.push(far) });
  expect(report).toEqual({ contents: 3, bytes: 200_006, ...sound });
  expect(told.at(-1)).toEqual([200_006, 200_006]);
});

describe("damage", () => {
  test("is named wherever it shows, and never given out", async () => {
    await damage(data, shaOf(large(2)));
    await rm(placeOf(shaOf(large(1))));
    const report = await store.check();
    expect(report).toMatchObject({ contents: 3, repaired: [], database: [] });
    expect(report.damaged.toSorted((a, b) => a.app.localeCompare(b.app) || a.version - b.version)).toEqual([
      { app: "notes", path: "f", version: 1, isCurrent: false },
      { app: "notes", path: "f", version: 2, isCurrent: true },
      { app: "other", path: "same", version: 1, isCurrent: true },
    ]);
    await expect(store.open("other", "same").then(readAll)).rejects.toMatchObject({ code: "CORRUPT" });
    // Storing the same again heals it.
    await putter(store)("notes", "again", large(2));
    expect((await store.check()).damaged).toEqual([
      { app: "notes", path: "f", version: 1, isCurrent: false },
    ]);
  });

  test("of a chunk is named, and healed by sending it again", async () => {
    const { id } = await store.uploads.begin("notes", 200_000);
    const part = { seq: 4, bytes: large(7), facts: describeContent(large(7)) };
    await store.uploads.put(id, part);
    await damage(data, shaOf(large(7)));
    expect(await store.check()).toMatchObject({ damaged: [], damagedChunks: [{ upload: id, seq: 4 }] });
    await store.uploads.put(id, part);
    expect(await store.check()).toMatchObject(sound);
  });

  test("of a content inside the database is found too", async () => {
    await change("UPDATE blob SET data = x'00' WHERE data IS NOT NULL");
    expect((await store.check()).damaged).toEqual([
      { app: "notes", path: "small", version: 1, isCurrent: true },
    ]);
    await expect(store.open("notes", "small").then(readAll)).rejects.toMatchObject({ code: "CORRUPT" });
  });

  test("of the list of contents is found", async () => {
    await change("DELETE FROM blob WHERE data IS NOT NULL");
    expect(await store.check()).toMatchObject({
      damaged: [{ app: "notes", path: "small", version: 1, isCurrent: true }],
    });
  });
});

describe("what the rest of the store tells", () => {
  const faults: [string, string, string][] = [
    [
      "a count of uses",
      "UPDATE blob SET refs = refs + 3 WHERE data IS NULL",
      "2 contents with a wrong count",
    ],
    ["a lost use", "UPDATE blob SET refs = 1", "1 contents with a wrong count of what needs them"],
    ["a sum of an app", "UPDATE app SET bytes = 5, count = 9", "2 apps with a wrong count or sum"],
    ["a sum of the past", "UPDATE app SET history_bytes = history_bytes + 1", "2 apps with a wrong"],
    ["the store's sums", "UPDATE store SET files = 0, physical_bytes = 1", "1 wrong sums of the whole store"],
    [
      "a description",
      "UPDATE blob SET newlines = 7 WHERE data IS NOT NULL",
      "1 contents that were described",
    ],
    ["blocks", "UPDATE blob SET blocks = zeroblob(36) WHERE data IS NULL", "2 contents that were described"],
  ];

  test.each(faults)("puts %s right", async (_what, sql, said) => {
    const before = await store.totals();
    await change(sql);
    const seen = open(true);
    expect((await seen.check()).repaired).toEqual([expect.stringContaining(said)]);
    seen.close();
    expect((await store.check()).repaired).toEqual([expect.stringContaining(said)]);
    expect(await store.check()).toEqual({ contents: 3, bytes: 200_006, ...sound });
    expect(await store.totals()).toEqual(before);
    expect((await readAll(await store.open("notes", "f"))).length).toBe(100_000);
  });

  test("takes away what nothing needs", async () => {
    const orphan = "ab".repeat(32);
    await mkdir(join(data, "blobs", "ab"), { recursive: true });
    await writeFile(placeOf(orphan), "left behind");
    await change(
      `INSERT INTO blob SELECT '${"cd".repeat(32)}', 4, 0, 1, 0, 0, blocks, x'61' FROM blob LIMIT 1`,
    );
    const report = await store.check();
    expect(report.damaged).toEqual([]);
    expect(report.repaired).toContain("1 contents that nothing needs");
    expect(report.repaired).toContain("1 files of contents that nothing needs");
    expect(await readdir(join(data, "blobs", "ab"))).toEqual([]);
    expect(await store.check()).toEqual({ contents: 3, bytes: 200_006, ...sound });
  });
});
