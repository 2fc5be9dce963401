import { execFileSync } from "node:child_process";
import { access, chmod, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@mcp-file-servers/sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSqliteStore, databaseName } from "../src/adapters/sqlite/sqlite-store.ts";
import { describeContent } from "../src/domain/content.ts";
import { AppFilesError } from "../src/domain/errors.ts";
import { defaultLimits, defaultRetention, type Limits } from "../src/domain/limits.ts";
import { readAll } from "../src/domain/read-window.ts";
import type { Change, FileStore } from "../src/domain/store.ts";
import { damage, putter } from "./world.ts";

let folder: string;
let data: string;
let names = 0;
const opened: FileStore[] = [];

function open({
  limits = {},
  versions = 2,
  readOnly = false,
}: {
  limits?: Partial<Limits>;
  versions?: number;
  readOnly?: boolean;
} = {}): FileStore {
  const store = createSqliteStore({
    folder: data,
    limits: { ...defaultLimits, ...limits },
    retention: { ...defaultRetention, versions },
    readOnly,
    now: Date.now,
    nextName: () => `fault-${names++}`,
    onError: () => {},
  });
  opened.push(store);
  return store;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "app-files-faults-"));
  data = join(folder, "data");
});

afterEach(async () => {
  for (const store of opened.splice(0)) store.close();
  await rm(folder, { recursive: true });
});

const large = (n: number) => Buffer.alloc(100_000, n);
const shaOf = (bytes: Uint8Array) => describeContent(bytes).sha256;
const placeOf = (sha256: string) => join(data, "blobs", sha256.slice(0, 2), sha256);
const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
const contentOf = async (store: FileStore, path: string) =>
  Buffer.from(await readAll(await store.open("notes", path)));
const failure = (action: Promise<unknown>) =>
  action.then(
    () => "no failure",
    (error: unknown) => (error instanceof AppFilesError ? { code: error.code, ...error.details } : error),
  );

async function filesOnDisk(): Promise<string[]> {
  const all = await readdir(data, { recursive: true, withFileTypes: true });
  return all
    .filter((entry) => entry.isFile() && !entry.name.startsWith(databaseName))
    .map(({ name }) => name)
    .sort();
}

/** Enough passes to look through every blob folder. */
async function maintainAll(store: FileStore): Promise<void> {
  for (let pass = 0; pass < 32; pass++) await store.maintain();
}

test("everything is its owner's alone", async () => {
  const store = open();
  await putter(store)("notes", "large", large(1));
  const entries = await readdir(data, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const mode = (await stat(join(entry.parentPath, entry.name))).mode & 0o777;
    expect(mode.toString(8), entry.name).toBe(entry.isDirectory() ? "700" : "600");
  }
  expect(((await stat(data)).mode & 0o777).toString(8)).toBe("700");
});

test("a refused write leaves no file behind", async () => {
  const store = open({ limits: { app_bytes: 150_000 } });
  const put = putter(store);
  await put("notes", "a", large(1));
  expect(await failure(put("notes", "b", large(2)))).toMatchObject({ code: "LIMIT_EXCEEDED" });
  expect(await failure(put("notes", "A", large(3)))).toMatchObject({ code: "PATH_COLLISION" });
  expect(await filesOnDisk()).toEqual([shaOf(large(1))]);
  // A refused write of bytes that others need takes nothing away from them.
  expect(await failure(put("notes", "A", large(1)))).toMatchObject({ code: "PATH_COLLISION" });
  expect((await contentOf(store, "a")).equals(large(1))).toBe(true);
});

test("large overwrites of one file at once leave each whole, the last one current, and nothing else", async () => {
  const store = open({ versions: 10 });
  const contents = Array.from({ length: 10 }, (_, n) => Buffer.alloc(1_000_000, 0x61 + n));
  const receipts = await Promise.all(contents.map((bytes) => putter(store)("notes", "f", bytes)));
  expect(receipts.map(({ version }) => version).sort((a, b) => a - b)).toEqual(contents.map((_, n) => n + 1));
  for (const [n, { version }] of receipts.entries()) {
    const bytes = await readAll(await store.open("notes", "f", version));
    expect(Buffer.compare(bytes, contents[n] ?? Buffer.of())).toBe(0);
  }
  const last = receipts.findIndex(({ version }) => version === contents.length);
  expect((await contentOf(store, "f")).equals(contents[last] ?? Buffer.of())).toBe(true);
  expect(await filesOnDisk()).toEqual(contents.map(shaOf).sort());
});

describe("the collector", () => {
  test("takes what a killed process left, and nothing that is needed", async () => {
    const store = open();
    const put = putter(store);
    for (let n = 0; n < 20; n++) await put("notes", `f${n}`, large(n));
    const orphan = "ab".repeat(32);
    await mkdir(join(data, "blobs", "ab"), { recursive: true });
    await writeFile(placeOf(orphan), "left behind");
    await writeFile(join(data, "tmp", "old"), "of a process long gone");
    await utimes(join(data, "tmp", "old"), new Date(0), new Date(0));
    await writeFile(join(data, "tmp", "new"), "of a process that may live");
    await maintainAll(store);
    expect(await exists(placeOf(orphan))).toBe(false);
    expect(await exists(join(data, "tmp", "old"))).toBe(false);
    expect(await exists(join(data, "tmp", "new"))).toBe(true);
    for (let n = 0; n < 20; n++) expect((await contentOf(store, `f${n}`)).equals(large(n))).toBe(true);
  });

  test("takes the files of versions that are no longer kept", async () => {
    const store = open();
    const put = putter(store);
    for (let n = 1; n <= 4; n++) await put("notes", "f", large(n));
    await store.maintain();
    expect(await filesOnDisk()).toEqual([shaOf(large(3)), shaOf(large(4))].sort());
  });

  test("beside writers that use the same contents again and again loses nothing that was acknowledged", async () => {
    const writer = open();
    const other = open();
    const put = putter(writer);
    let writing = true;
    const collecting = (async () => {
      while (writing) await other.maintain();
    })();
    try {
      for (let round = 0; round < 60; round++) {
        const content = large(round % 3);
        await put("notes", "f", content);
        expect((await contentOf(other, "f")).equals(content)).toBe(true);
        // Its content is needed by nobody until it is written again.
        await put("notes", "f", "small");
        await put("notes", "f", "tiny");
      }
    } finally {
      writing = false;
      await collecting;
    }
  });
});

describe("damage", () => {
  test("is told, never read, and healed by writing the same again", async () => {
    const store = open();
    const put = putter(store);
    await put("notes", "f", large(1));
    await damage(data, shaOf(large(1)));
    expect(await failure(contentOf(store, "f"))).toEqual({ code: "CORRUPT", path: "f", version: 1 });
    await put("notes", "other", large(1));
    expect((await contentOf(store, "f")).equals(large(1))).toBe(true);
  });

  test("is healed by an upload of the same too", async () => {
    const store = open();
    await putter(store)("notes", "f", large(1));
    await damage(data, shaOf(large(1)));
    const staging = await store.stage();
    await staging.append(large(1));
    await staging.seal();
    await staging.write({ app: "notes", path: "g", detectedMime: "text/plain", client: "t" });
    await staging.discard();
    for (const path of ["f", "g"]) expect((await contentOf(store, path)).equals(large(1))).toBe(true);
    expect(await filesOnDisk()).toEqual([shaOf(large(1))]);
  });

  test("of a file that is gone is told, and so is one that was cut", async () => {
    const store = open();
    await putter(store)("notes", "f", large(1));
    await writeFile(placeOf(shaOf(large(1))), large(1).subarray(0, 99_999));
    expect(await failure(contentOf(store, "f"))).toMatchObject({ code: "CORRUPT" });
    await rm(placeOf(shaOf(large(1))));
    expect(await failure(contentOf(store, "f"))).toMatchObject({ code: "CORRUPT" });
    expect((await store.find("notes", "f"))?.size).toBe(100_000);
  });

  test("is not what a version is that was given up while it was read", async () => {
    const store = open();
    const put = putter(store);
    await put("notes", "f", large(1));
    const content = await store.open("notes", "f", 1);
    for (let n = 2; n <= 4; n++) await put("notes", "f", large(n));
    await store.maintain();
    expect(await failure(readAll(content))).toMatchObject({ code: "VERSION_GONE", version: 1 });
  });

  test("of the database is told", async () => {
    await mkdir(data);
    await writeFile(join(data, databaseName), "no pages of a database ".repeat(500));
    expect(await failure(open().find("notes", "f"))).toEqual({
      code: "STORE_UNAVAILABLE",
      problem: "damaged",
    });
  });
});

test("a store of a newer version is left alone", async () => {
  await mkdir(data);
  const database = await openDatabase(join(data, databaseName), { synchronous: "FULL" });
  await database.write(({ exec }) => exec("PRAGMA user_version = 99"));
  database.close();
  expect(await failure(open().find("notes", "f"))).toEqual({ code: "STORE_UNAVAILABLE", problem: "newer" });
});

test("a start that failed can succeed later", async () => {
  const store = open();
  await writeFile(data, "in the way");
  expect(await failure(store.find("notes", "f"))).toMatchObject({ code: "STORE_UNAVAILABLE" });
  await rm(data);
  await putter(store)("notes", "f", "content");
  expect((await contentOf(store, "f")).toString()).toBe("content");
});

test("a read-only store reads, follows changes and writes nothing", async () => {
  const writer = open();
  await putter(writer)("notes", "f", large(1));
  const reader = open({ readOnly: true });
  expect((await contentOf(reader, "f")).equals(large(1))).toBe(true);
  await putter(writer)("notes", "f", "changed");
  expect((await contentOf(reader, "f")).toString()).toBe("changed");
  expect(await failure(reader.remove({ app: "notes", path: "f", client: "t" }))).toEqual({
    code: "STORE_UNAVAILABLE",
    problem: "denied",
  });
  await reader.maintain();
  expect((await contentOf(writer, "f")).toString()).toBe("changed");
});

test("changes made by another connection are told", async () => {
  const watcher = open();
  const writer = open();
  await putter(writer)("notes", "before", "x");
  let heard = (_change: Change) => {};
  const change = new Promise<Change>((resolve) => {
    heard = resolve;
  });
  const stop = watcher.watch((changes) => {
    for (const each of changes) if (each.path === "after") heard(each);
  });
  // Its watch has begun once a later call on it is answered.
  await watcher.find("notes", "before");
  await watcher.find("notes", "before");
  await putter(writer)("notes", "after", "x");
  expect(await change).toEqual({ app: "notes", path: "after", kind: "created" });
  stop();
});

test("a full disk is told, and nothing that was stored is lost", async ({ skip }) => {
  await mkdir(data);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=3m", "tmpfs", data], { stdio: "pipe" });
  } catch {
    skip("a small disk cannot be mounted here: a full disk is NOT tested");
  }
  try {
    await chmod(data, 0o700);
    const store = open();
    const put = putter(store);
    const stored: string[] = [];
    let refusal: unknown;
    for (let n = 0; n < 200 && refusal === undefined; n++) {
      const result = await failure(put("notes", `f${n}`, Buffer.alloc(n % 2 === 0 ? 60_000 : 3_000, n)));
      if (result === "no failure") stored.push(`f${n}`);
      else refusal = result;
    }
    expect(refusal).toEqual({ code: "STORE_UNAVAILABLE", problem: "full" });
    expect(stored.length).toBeGreaterThan(10);
    for (const path of stored) {
      const n = Number(path.slice(1));
      expect((await contentOf(store, path)).equals(Buffer.alloc(n % 2 === 0 ? 60_000 : 3_000, n)), path).toBe(
        true,
      );
    }
    for (const each of opened.splice(0)) each.close();
  } finally {
    execFileSync("umount", ["-l", data]);
  }
});
