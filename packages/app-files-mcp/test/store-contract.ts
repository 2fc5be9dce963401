import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { describeContent } from "../src/domain/content.ts";
import { AppFilesError } from "../src/domain/errors.ts";
import { comparePaths } from "../src/domain/file-path.ts";
import { defaultLimits, defaultRetention, type Limits, type Retention } from "../src/domain/limits.ts";
import type { ListFilter, Listing, ListQuery, ListView } from "../src/domain/listing.ts";
import { readAll } from "../src/domain/read-window.ts";
import type { Change, FileStore, WriteRequest } from "../src/domain/store.ts";

/** How a store is made for one test. */
export interface StoreFixture {
  readonly store: FileStore;
  dispose(): Promise<void>;
}

export interface StoreSetting {
  readonly limits: Limits;
  readonly retention: Retention;
  readonly now: () => number;
}

type FilesView = Extract<ListView, { kind: "files" }>;

const dayMs = 24 * 60 * 60 * 1000;
const byPath: FilesView = { kind: "files", sort: "path", order: "asc", folders: false };

/** What every store keeps to: the fake that tools are tested on, and every real adapter. */
export function describeStoreContract(
  name: string,
  create: (setting: StoreSetting) => Promise<StoreFixture>,
): void {
  describe(name, () => {
    let store: FileStore;
    let now: number;
    const fixtures: StoreFixture[] = [];

    async function make(
      limits: Partial<Limits> = {},
      retention: Partial<Retention> = {},
    ): Promise<FileStore> {
      const fixture = await create({
        limits: { ...defaultLimits, ...limits },
        retention: { ...defaultRetention, ...retention },
        now: () => now,
      });
      fixtures.push(fixture);
      return fixture.store;
    }

    beforeEach(async () => {
      now = Date.UTC(2031, 1, 3);
      store = await make();
    });

    afterEach(async () => {
      for (const fixture of fixtures.splice(0)) {
        fixture.store.close();
        await fixture.dispose();
      }
    });

    function request(
      path: string,
      content: string | Uint8Array,
      more: Partial<WriteRequest> = {},
    ): WriteRequest {
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      const facts = describeContent(bytes);
      return { app: "notes", path, bytes, facts, detectedMime: "text/plain", client: "test 1", ...more };
    }
    const put = (
      path: string,
      content: string | Uint8Array = "x",
      more: Partial<WriteRequest> = {},
      on = store,
    ) => on.write(request(path, content, more));
    const remove = (path: string, app = "notes") => store.remove({ app, path, client: "test 1" });
    const query = (view: ListView = byPath, filter: ListFilter = {}): ListQuery => ({
      app: "notes",
      filter,
      view,
      limit: 1000,
    });
    const list = (view?: ListView, filter?: ListFilter) => store.list(query(view, filter));
    const namesOf = ({ entries }: Listing) =>
      entries.map(({ entry }) => (entry.kind === "file" ? entry.file.path : entry.path));
    const textOf = async (path: string, version?: number, on = store) =>
      Buffer.from(await readAll(await on.open("notes", path, version))).toString();
    const failure = (action: Promise<unknown>) =>
      action.then(
        () => "no failure",
        (error: unknown) => (error instanceof AppFilesError ? { code: error.code, ...error.details } : error),
      );

    /** All pages, as a caller walks them. */
    async function walk(
      view: ListView,
      filter: ListFilter,
      limit: number,
      between: () => Promise<unknown> = async () => {},
    ) {
      const pages: Listing[] = [];
      let after: ListQuery["after"];
      let generation: number | undefined;
      for (let more = true; more; ) {
        const page = await store.list({ ...query(view, filter), limit, after, generation });
        pages.push(page);
        generation ??= page.filesVersion;
        after = page.entries.at(-1)?.position;
        more = page.more;
        expect(page.entries.length).toBeLessThanOrEqual(limit);
        if (more) expect(page.entries.length).toBeGreaterThan(0);
        await between();
      }
      return { names: pages.flatMap(namesOf), pages };
    }

    describe("writing and reading", () => {
      test("gives back what was written, and what it is", async () => {
        const receipt = await put("résumé (1).pdf", "content", { mime: "application/pdf" });
        const { record, facts } = await store.open("notes", "résumé (1).pdf");
        expect(receipt).toEqual({ ...record, app: "notes", filesVersion: 1 });
        expect(record).toEqual({
          path: "résumé (1).pdf",
          size: 7,
          mime: "application/pdf",
          sha256: "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73",
          version: 1,
          createdAt: now,
          updatedAt: now,
        });
        expect(facts).toEqual(describeContent(Buffer.from("content")));
        expect(await store.find("notes", "résumé (1).pdf")).toEqual(record);
        expect(await textOf("résumé (1).pdf")).toBe("content");
      });

      test("keeps an empty file", async () => {
        await put("empty", "");
        expect(await textOf("empty")).toBe("");
        expect((await list()).usage).toEqual({ bytes: 0, count: 1, historyBytes: 0 });
      });

      test.each([1, 32 * 1024, 32 * 1024 + 1, 256 * 1024, 256 * 1024 + 1, 1_000_003])(
        "gives back %i bytes, whole and in parts",
        async (size) => {
          const bytes = Uint8Array.from({ length: size }, (_, index) => (index * 31 + (index >> 8)) % 256);
          await put("b.bin", bytes);
          const content = await store.open("notes", "b.bin");
          expect(Buffer.compare(await readAll(content), bytes)).toBe(0);
          expect(Buffer.compare(await content.read(size - 1, 10), bytes.subarray(size - 1))).toBe(0);
          const middle = Math.floor(size / 2);
          expect(Buffer.compare(await content.read(middle, 5), bytes.subarray(middle, middle + 5))).toBe(0);
        },
      );

      test("replaces, keeps the type and the time of creation, and counts versions", async () => {
        await put("a", "one", { mime: "text/csv" });
        now += 1000;
        const second = await put("a", "two!", { detectedMime: "text/html" });
        expect(second).toMatchObject({
          version: 2,
          mime: "text/csv",
          createdAt: now - 1000,
          updatedAt: now,
          filesVersion: 2,
        });
        expect((await put("a", "x", { mime: "text/html" })).mime).toBe("text/html");
        expect((await list()).usage).toEqual({ bytes: 1, count: 1, historyBytes: 7 });
      });

      test("never dates a version before the one that it replaces", async () => {
        await put("a");
        now -= 5000;
        expect((await put("a")).updatedAt).toBe(now + 5000);
      });

      test("tells apart apps that hold equal paths", async () => {
        await put("a", "mine");
        await put("a", "theirs", { app: "other" });
        expect(await textOf("a")).toBe("mine");
        expect((await list()).filesVersion).toBe(1);
        await remove("a", "other");
        expect(await textOf("a")).toBe("mine");
      });

      test("stores equal contents under many names, each on its own", async () => {
        const bytes = new Uint8Array(100_000).fill(7);
        for (const path of ["a", "b", "c"]) await put(path, bytes);
        await remove("a");
        await put("b", "other");
        await store.maintain();
        expect(Buffer.compare(await readAll(await store.open("notes", "c")), bytes)).toBe(0);
      });

      test("names the nearest when there is no such file", async () => {
        await put("docs/report.pdf");
        await put("docs/other.txt");
        expect(await failure(store.open("notes", "docs/reprot.pdf"))).toMatchObject({
          code: "NOT_FOUND",
          nearest: ["docs/report.pdf"],
        });
        expect(await failure(store.open("nobody", "a"))).toMatchObject({ code: "NOT_FOUND", nearest: [] });
        expect(await store.find("notes", "none")).toBeUndefined();
      });
    });

    describe("conditions", () => {
      test("refuses a stale write, and tells the current state", async () => {
        await put("f", "first");
        const { sha256 } = await put("f", "second");
        expect(await failure(put("f", "third", { expectedVersion: 1 }))).toEqual({
          code: "VERSION_CONFLICT",
          path: "f",
          expected: 1,
          current: { version: 2, size: 6, sha256 },
        });
        expect(await textOf("f")).toBe("second");
        expect((await put("f", "third", { expectedVersion: 2 })).version).toBe(3);
      });

      test("creates only, with 0", async () => {
        await put("f", "a", { expectedVersion: 0 });
        expect(await failure(put("f", "b", { expectedVersion: 0 }))).toMatchObject({
          code: "VERSION_CONFLICT",
        });
        expect(await failure(put("g", "b", { expectedVersion: 1 }))).toMatchObject({ current: undefined });
      });

      test("never uses a version number twice", async () => {
        await put("f", "old");
        expect(await remove("f")).toMatchObject({ version: 1, filesVersion: 2 });
        expect(await failure(put("f", "new", { expectedVersion: 1 }))).toMatchObject({
          code: "VERSION_CONFLICT",
        });
        expect((await put("f", "new", { expectedVersion: 0 })).version).toBe(2);
        expect(await textOf("f", 1)).toBe("old");
        expect(await textOf("f")).toBe("new");
      });

      test("refuses paths that differ in case, or of which one is the other's folder", async () => {
        await put("Docs/Straße.txt");
        expect(await failure(put("docs/STRAße.txt"))).toEqual({
          code: "PATH_COLLISION",
          path: "docs/STRAße.txt",
          other: "Docs/Straße.txt",
          kind: "case",
        });
        expect(await failure(put("docs"))).toMatchObject({ code: "PATH_COLLISION", kind: "is-folder" });
        expect(await failure(put("docs/straße.txt/x"))).toMatchObject({ kind: "inside-file" });
        await put("Docs2");
        await put("Docs.txt");
        await put("Docs/other.txt");
        await remove("Docs/Straße.txt");
        await put("docs/straße.txt");
        expect(namesOf(await list())).toEqual(["Docs.txt", "Docs/other.txt", "Docs2", "docs/straße.txt"]);
      });

      test("gives a command its first receipt again, whatever happened since", async () => {
        const command = { id: "c1", fingerprint: "write f a" };
        const first = await put("f", "a", { command });
        await put("f", "b");
        await remove("f");
        expect(await put("f", "a", { command })).toEqual(first);
        expect(await store.receipt(command)).toEqual(first);
        expect(await store.find("notes", "f")).toBeUndefined();
        const other = { id: "c1", fingerprint: "something else" };
        expect(await failure(put("g", "b", { command: other }))).toEqual({
          code: "COMMAND_ID_REUSED",
          commandId: "c1",
        });
        expect(await failure(store.receipt(other))).toMatchObject({ code: "COMMAND_ID_REUSED" });
        expect(await store.receipt({ id: "c2", fingerprint: "x" })).toBeUndefined();
        now += 31 * dayMs;
        await store.maintain();
        expect((await put("g", "b", { command: other })).version).toBe(1);
      });

      test("keeps no receipt of what was refused", async () => {
        const command = { id: "c1", fingerprint: "write f" };
        await failure(put("f", "a", { command, expectedVersion: 3 }));
        expect(await store.receipt(command)).toBeUndefined();
      });
    });

    describe("limits", () => {
      test.each([
        ["file_bytes", { file_bytes: 59 }, 60],
        ["app_bytes", { app_bytes: 100 }, 120],
        ["app_files", { app_files: 1 }, 2],
        ["store_files", { store_files: 1 }, 2],
        ["store_bytes", { store_bytes: 100 }, 120],
      ])("refuses what would exceed %s, and leaves nothing behind", async (limit, limits, wanted) => {
        const small = await make(limits);
        if (limit !== "file_bytes") await put("x", "1".repeat(60), {}, small);
        const before = await small.list(query());
        expect(await failure(put("y", "2".repeat(60), {}, small))).toEqual({
          code: "LIMIT_EXCEEDED",
          limit,
          allowed: Object.values(limits)[0],
          wanted,
        });
        expect(await small.list(query())).toEqual(before);
        expect(await failure(small.open("notes", "y"))).toMatchObject({ code: "NOT_FOUND" });
      });

      test("gives space back when a file is deleted or replaced", async () => {
        store = await make({ app_bytes: 100 });
        await put("x", "1".repeat(60));
        await remove("x");
        await put("y", "2".repeat(60));
        await put("y", "3".repeat(10));
        await put("z", "4".repeat(90));
        expect((await list()).usage).toEqual({ bytes: 100, count: 2, historyBytes: 120 });
      });

      test("gives up history, oldest first, when the store would be too large", async () => {
        store = await make({ store_bytes: 100 });
        for (const digit of "1234") {
          now += 1000;
          await put("x", digit.repeat(30));
        }
        expect((await list()).usage).toEqual({ bytes: 30, count: 1, historyBytes: 60 });
        expect(await failure(store.open("notes", "x", 1))).toMatchObject({
          code: "VERSION_GONE",
          oldest: 2,
          current: 4,
        });
        expect(await textOf("x", 2)).toBe("2".repeat(30));
        await put("y", "5".repeat(70));
        expect((await list()).usage.historyBytes).toBe(0);
        expect(await textOf("x")).toBe("4".repeat(30));
        expect(await failure(put("z", "6"))).toMatchObject({ code: "LIMIT_EXCEEDED", limit: "store_bytes" });
      });

      test("counts equal bytes once in the store, but in every app", async () => {
        store = await make({ store_bytes: 100, app_bytes: 150 });
        await put("x", "1".repeat(60));
        await put("y", "1".repeat(60));
        expect((await list()).usage.bytes).toBe(120);
        expect(await failure(put("z", "1".repeat(60)))).toMatchObject({ limit: "app_bytes" });
      });
    });

    describe("history", () => {
      test("keeps the last versions of a path, and reads each", async () => {
        store = await make({}, { versions: 3 });
        for (let n = 1; n <= 5; n++) await put("f", `version ${n}`);
        expect(await textOf("f", 5)).toBe("version 5");
        expect(await textOf("f", 3)).toBe("version 3");
        expect((await store.open("notes", "f", 4)).record).toMatchObject({ version: 4, size: 9 });
        expect(await failure(store.open("notes", "f", 2))).toMatchObject({
          code: "VERSION_GONE",
          version: 2,
          oldest: 3,
          current: 5,
        });
        expect(await failure(store.open("notes", "f", 6))).toMatchObject({
          code: "NOT_FOUND",
          asked: { version: 6, latest: 5 },
        });
        expect((await list()).usage).toEqual({ bytes: 9, count: 1, historyBytes: 18 });
      });

      test("forgets what was replaced or deleted long ago, never what is current", async () => {
        await put("kept", "current");
        await put("f", "one");
        now += 20 * dayMs;
        await put("f", "two");
        await put("gone", "bytes");
        await remove("gone");
        expect(await failure(store.open("notes", "gone"))).toMatchObject({
          code: "NOT_FOUND",
          deletedVersion: 1,
        });
        now += 29 * dayMs;
        await store.maintain();
        expect(await textOf("f", 1)).toBe("one");
        expect(await textOf("gone", 1)).toBe("bytes");
        now += 2 * dayMs;
        await store.maintain();
        expect(await failure(store.open("notes", "f", 1))).toMatchObject({ code: "VERSION_GONE" });
        expect(await failure(store.open("notes", "gone", 1))).toMatchObject({
          code: "VERSION_GONE",
          current: undefined,
        });
        expect(await textOf("kept")).toBe("current");
        expect((await list()).usage).toEqual({ bytes: 10, count: 2, historyBytes: 0 });
        expect((await put("gone", "again")).version).toBe(2);
      });

      test("refuses to delete what is not there, or not as expected", async () => {
        await put("f");
        expect(await failure(remove("g"))).toMatchObject({ code: "NOT_FOUND" });
        const stale = store.remove({ app: "notes", path: "f", expectedVersion: 2, client: "t" });
        expect(await failure(stale)).toMatchObject({ code: "VERSION_CONFLICT", current: { version: 1 } });
        await remove("f");
        expect(await failure(remove("f"))).toMatchObject({ code: "NOT_FOUND" });
        expect((await list()).usage).toEqual({ bytes: 0, count: 0, historyBytes: 1 });
      });
    });

    describe("listing", () => {
      const paths = [
        "A1B",
        "a01b",
        "a1b",
        "docs/a/1.txt",
        "docs/a/2.png",
        "docs/b.txt",
        "docs.txt",
        "ä1b",
        "日本.txt",
        "😀",
        "\uffee",
      ];

      async function fill(): Promise<void> {
        for (const [index, path] of paths.filter((each) => each !== "A1B").entries()) {
          now += 1000;
          const mime = path.endsWith(".png") ? "image/png" : "text/plain";
          await put(path, "x".repeat((index * 7) % 5), { mime });
        }
      }
      const present = paths.filter((path) => path !== "A1B").sort(comparePaths);

      test("tells the app's usage and version, and the total", async () => {
        await fill();
        const { usage, filesVersion, total, more } = await list();
        expect({ filesVersion, total, more, count: usage.count }).toEqual({
          filesVersion: present.length,
          total: present.length,
          more: false,
          count: present.length,
        });
      });

      test("lists nothing for an unknown app, and names the nearest", async () => {
        await put("a", "x", { app: "recipes" });
        expect(await store.list({ ...query(), app: "recipe" })).toEqual({
          entries: [],
          more: false,
          total: 0,
          usage: { bytes: 0, count: 0, historyBytes: 0 },
          filesVersion: 0,
          changedSince: 0,
          nearestApps: ["recipes"],
        });
      });

      test.each([
        ["prefix", { prefix: "docs" }, ["docs.txt", "docs/a/1.txt", "docs/a/2.png", "docs/b.txt"]],
        ["prefix of a folder", { prefix: "docs/" }, ["docs/a/1.txt", "docs/a/2.png", "docs/b.txt"]],
        ["the prefix of nothing", { prefix: "zzz" }, []],
        ["a name pattern", { pattern: "*.txt" }, ["docs.txt", "docs/a/1.txt", "docs/b.txt", "日本.txt"]],
        ["a path pattern", { pattern: "docs/**/*.txt" }, ["docs/a/1.txt", "docs/b.txt"]],
        ["a pattern below a prefix", { pattern: "*.txt", prefix: "docs/a" }, ["docs/a/1.txt"]],
        ["an exact type", { mime: { exact: "image/png" } }, ["docs/a/2.png"]],
        ["a class of types", { mime: { prefix: "image/" } }, ["docs/a/2.png"]],
        ["a type and a pattern", { mime: { prefix: "text/" }, pattern: "docs/a/*" }, ["docs/a/1.txt"]],
      ])("filters by %s", async (_, filter, expected) => {
        await fill();
        const page = await list(byPath, filter);
        expect(namesOf(page)).toEqual(expected);
        expect(page.total).toBe(expected.length);
      });

      test("filters by time, strictly after", async () => {
        await fill();
        const { entries } = await list(byPath, { updatedAfter: now - 1000 });
        expect(entries.length).toBe(1);
        expect((await list(byPath, { updatedAfter: now })).entries).toEqual([]);
      });

      test.each([1, 2, 3, 7, 100])("walks by path in pages of %i", async (limit) => {
        await fill();
        expect((await walk(byPath, {}, limit)).names).toEqual(present);
        const backwards = await walk({ ...byPath, order: "desc" }, {}, limit);
        expect(backwards.names).toEqual(present.toReversed());
        const few = await walk(byPath, { pattern: "*.txt" }, limit);
        expect(few.names).toEqual(present.filter((path) => path.endsWith(".txt")));
      });

      test.each([1, 2, 3, 100])("walks by size and time in pages of %i", async (limit) => {
        await fill();
        const records = (await list()).entries.flatMap(({ entry }) =>
          entry.kind === "file" ? [entry.file] : [],
        );
        for (const [sort, rank] of [
          ["size", "size"],
          ["updated", "updatedAt"],
        ] as const) {
          const expected = records
            .toSorted((a, b) => a[rank] - b[rank] || comparePaths(a.path, b.path))
            .map(({ path }) => path);
          expect((await walk({ ...byPath, sort }, {}, limit)).names).toEqual(expected);
          const backwards = await walk({ ...byPath, sort, order: "desc" }, {}, limit);
          expect(backwards.names).toEqual(expected.toReversed());
        }
      });

      test.each([1, 2, 100])(
        "rolls folders up, first folders and then files, in pages of %i",
        async (limit) => {
          await fill();
          const view: ListView = { ...byPath, folders: true };
          const root = await walk(view, {}, limit);
          expect(root.names).toEqual(["docs/", ...present.filter((path) => !path.includes("/"))]);
          expect(root.pages[0]?.total).toBe(root.names.length);
          expect(root.pages[0]?.entries[0]?.entry).toEqual({
            kind: "folder",
            path: "docs/",
            count: 3,
            bytes: await bytesBelow("docs/"),
          });
          expect((await walk(view, { prefix: "docs/" }, limit)).names).toEqual(["docs/a/", "docs/b.txt"]);
          const filtered = await walk(view, { prefix: "docs/", mime: { prefix: "image/" } }, limit);
          expect(filtered.names).toEqual(["docs/a/"]);
          const down = await walk({ ...view, order: "desc", sort: "size" }, { prefix: "docs" }, limit);
          expect(down.names).toEqual(["docs/", "docs.txt"]);
        },
      );

      async function bytesBelow(prefix: string): Promise<number> {
        const { entries } = await list(byPath, { prefix });
        return entries.reduce((sum, { entry }) => sum + (entry.kind === "file" ? entry.file.size : 0), 0);
      }

      test("finds the one match behind hundreds that are none", async () => {
        for (let n = 0; n < 300; n++) await put(`a/${n}`, "", { mime: "application/x-skipped" });
        await put("ok.txt", "", { mime: "text/plain" });
        const { names, pages } = await walk(byPath, { mime: { exact: "text/plain" } }, 50);
        expect(names).toEqual(["ok.txt"]);
        expect(pages.length).toBe(1);
        expect((await walk({ ...byPath, folders: true }, {}, 50)).names).toEqual(["a/", "ok.txt"]);
      });

      test("a walk by time that meets changes repeats nothing, ends, and tells of them", async () => {
        for (let n = 0; n < 20; n++) {
          now += 1000;
          await put(`f${String(n).padStart(2, "0")}`, "x");
        }
        for (const order of ["asc", "desc"] as const) {
          let touched = 0;
          const { names, pages } = await walk({ ...byPath, sort: "updated", order }, {}, 3, async () => {
            now += 1000;
            await put(`f${String(touched++).padStart(2, "0")}`, "changed");
            await put(`new-${order}-${touched}`);
          });
          expect(new Set(names).size).toBe(names.length);
          expect(names.every((name) => !name.startsWith(`new-${order}`))).toBe(true);
          const untouched = Array.from(
            { length: 20 - touched },
            (_, n) => `f${String(n + touched).padStart(2, "0")}`,
          );
          expect(names).toEqual(expect.arrayContaining(untouched));
          expect(pages[0]?.changedSince).toBe(0);
          expect(pages[1]?.changedSince).toBe(2);
        }
      });

      test("refuses patterns that would be too dear, and what is no pattern", async () => {
        await put("a");
        expect(await failure(list(byPath, { pattern: "*a*a*a*a*" }))).toMatchObject({
          code: "PATTERN_TOO_COSTLY",
        });
        expect(await failure(list(byPath, { pattern: "" }))).toMatchObject({
          code: "INVALID_ARGUMENT",
          argument: "pattern",
        });
      });
    });

    describe("the feed of changes", () => {
      const since = (version: number): ListView => ({ kind: "changes", since: version });

      test("tells each changed path once, by its last change, in order, deletions too", async () => {
        await put("a");
        await put("b");
        await put("c");
        const { filesVersion } = await list();
        await put("a", "changed");
        await remove("b");
        await put("d");
        await put("a", "again");
        const page = await list(since(filesVersion));
        expect(page.entries.map(({ entry }) => entry)).toMatchObject([
          { kind: "deletion", path: "b", version: 1, deletedAt: now },
          { kind: "file", file: { path: "d", version: 1 } },
          { kind: "file", file: { path: "a", version: 3 } },
        ]);
        expect(page).toMatchObject({ total: 3, filesVersion: 7, more: false });
        expect((await list(since(7))).entries).toEqual([]);
        expect(namesOf(await list(since(0), { prefix: "a" }))).toEqual(["a"]);
        expect(namesOf(await list(since(0), { pattern: "[bd]" }))).toEqual(["b", "d"]);
      });

      test("goes on where it was, and leaves later changes to the next time", async () => {
        for (let n = 0; n < 7; n++) await put(`f${n}`);
        const touched = [6, 5, 4];
        const { names } = await walk(since(0), {}, 2, async () => {
          const next = touched.shift();
          if (next !== undefined) await put(`f${next}`, "changed");
        });
        expect(names).toEqual(["f0", "f1", "f2", "f3", "f4"]);
        expect(namesOf(await list(since(7)))).toEqual(["f6", "f5", "f4"]);
      });

      test("says when deletions were forgotten, and when a version is not reached yet", async () => {
        await put("a");
        await put("b");
        await remove("a");
        now += 31 * dayMs;
        await store.maintain();
        expect(await failure(list(since(2)))).toEqual({ code: "CHANGES_EXPIRED", since: 2, oldest: 3 });
        expect(namesOf(await list(since(3)))).toEqual([]);
        await put("b", "new");
        expect(namesOf(await list(since(3)))).toEqual(["b"]);
        expect(await failure(list(since(5)))).toMatchObject({
          code: "INVALID_ARGUMENT",
          argument: "changed_since",
        });
        expect(namesOf(await list())).toEqual(["b"]);
      });
    });

    test("lists the files of all apps, app by app", async () => {
      for (const app of ["zeta", "alpha", "hidden", "mid"])
        for (const path of ["b", "a", "ü"]) await put(path, app, { app });
      await remove("a", "mid");
      const seen: string[] = [];
      let after: readonly [string, string] | undefined;
      for (let more = true; more; ) {
        const page = await store.listAll({ allows: (app) => app !== "hidden", after, limit: 3 });
        seen.push(...page.files.map(({ app, file }) => `${app}/${file.path}`));
        const last = page.files.at(-1);
        after = last && [last.app, last.file.path];
        more = page.more;
      }
      expect(seen).toEqual(["alpha/a", "alpha/b", "alpha/ü", "mid/b", "mid/ü", "zeta/a", "zeta/b", "zeta/ü"]);
    });

    test("tells watchers what happened", async () => {
      await put("before");
      const seen: Change[] = [];
      let enough = () => {};
      const heard = new Promise<void>((resolve) => {
        enough = resolve;
      });
      const stop = store.watch((changes) => {
        seen.push(...changes);
        if (seen.some(({ path }) => path === "last")) enough();
      });
      // A store may need a moment to begin; what it tells of is what happens from then on.
      await store.list(query());
      now += 1000;
      await put("before", "changed");
      await put("new");
      await remove("new");
      await put("last");
      await heard;
      stop();
      expect(seen.find(({ path }) => path === "before")).toEqual({
        app: "notes",
        path: "before",
        kind: "updated",
      });
      expect(seen.filter(({ path }) => path === "new").at(-1)?.kind).toBe("deleted");
      expect(seen.at(-1)).toEqual({ app: "notes", path: "last", kind: "created" });
      await put("unheard");
      expect(seen.some(({ path }) => path === "unheard")).toBe(false);
    });

    test("many writers at once lose nothing", async () => {
      const versions = await Promise.all(Array.from({ length: 20 }, (_, n) => put("shared", `writer ${n}`)));
      expect(versions.map(({ version }) => version).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 20 }, (_, n) => n + 1),
      );
      const last = versions.findIndex(({ version }) => version === 20);
      expect(await textOf("shared")).toBe(`writer ${last}`);
      expect((await list()).filesVersion).toBe(20);
    });

    test("for any names and page size, and whatever comes and goes, a walk by path returns each lasting file once", async () => {
      const name = fc.stringMatching(/^[a-cé日😀][a-c/]{0,3}[a-c]$/u).filter((path) => !path.includes("//"));
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(name, { maxLength: 12 }),
          fc.uniqueArray(name, { maxLength: 12 }),
          fc.integer({ min: 1, max: 4 }),
          fc.constantFrom("asc" as const, "desc" as const),
          async (first, later, limit, order) => {
            store = await make();
            const lasting: string[] = [];
            for (const path of first)
              await put(path).then(
                () => lasting.push(path),
                () => {},
              );
            const churn = later.filter((path) => !lasting.includes(path));
            const there: string[] = [];
            let step = 0;
            const { names } = await walk({ ...byPath, order }, {}, limit, async () => {
              const path = churn[step++ % Math.max(churn.length, 1)];
              if (path === undefined) return;
              if (there.includes(path)) {
                await remove(path);
                there.splice(there.indexOf(path), 1);
              } else
                await put(path).then(
                  () => there.push(path),
                  () => {},
                );
            });
            expect(new Set(names).size).toBe(names.length);
            const sorted = lasting.toSorted(comparePaths);
            expect(names.filter((path) => lasting.includes(path))).toEqual(
              order === "asc" ? sorted : sorted.toReversed(),
            );
          },
        ),
        { numRuns: 25 },
      );
    });
  });
}
