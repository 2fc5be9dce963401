import { describe, expect, test } from "vitest";

import { dayMs, type StoreSubject } from "./store-subject.ts";

/** Limits, and what is kept of the past. */
export function describeLimits(s: StoreSubject): void {
  const { put, remove, list, query, textOf, failure, clock } = s;

  describe("limits", () => {
    test.each([
      ["file_bytes", { file_bytes: 59 }, 60],
      ["app_bytes", { app_bytes: 100 }, 120],
      ["app_files", { app_files: 1 }, 2],
      ["store_files", { store_files: 1 }, 2],
      ["store_bytes", { store_bytes: 100 }, 120],
    ])("refuses what would exceed %s, and leaves nothing behind", async (limit, limits, wanted) => {
      const small = await s.make(limits);
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

    test("refuses a version as it refuses a file, and leaves the one that is there", async () => {
      await s.use({ app_bytes: 100 });
      await put("x", "1".repeat(60));
      for (const bytes of [101, 150_000]) {
        expect(await failure(put("x", "2".repeat(bytes)))).toMatchObject({
          limit: "app_bytes",
          wanted: bytes,
        });
      }
      expect((await list()).usage).toEqual({ bytes: 60, count: 1, historyBytes: 0 });
      const { entries } = await s.store.history({ app: "notes", path: "x", limit: 10 });
      expect(entries.map(({ version }) => version)).toEqual([1]);
      expect(await textOf("x")).toBe("1".repeat(60));
    });

    test("gives space back when a file is deleted or replaced", async () => {
      await s.use({ app_bytes: 100 });
      await put("x", "1".repeat(60));
      await remove("x");
      await put("y", "2".repeat(60));
      await put("y", "3".repeat(10));
      await put("z", "4".repeat(90));
      expect((await list()).usage).toEqual({ bytes: 100, count: 2, historyBytes: 120 });
    });

    test("gives up history, oldest first, when the store would be too large", async () => {
      await s.use({ store_bytes: 100 });
      for (const digit of "1234") {
        clock.now += 1000;
        await put("x", digit.repeat(30));
      }
      expect((await list()).usage).toEqual({ bytes: 30, count: 1, historyBytes: 60 });
      expect(await failure(s.store.open("notes", "x", 1))).toMatchObject({
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
      await s.use({ store_bytes: 100, app_bytes: 150 });
      await put("x", "1".repeat(60));
      await put("y", "1".repeat(60));
      expect((await list()).usage.bytes).toBe(120);
      expect(await failure(put("z", "1".repeat(60)))).toMatchObject({ limit: "app_bytes" });
    });
  });

  describe("history", () => {
    test("keeps the last versions of a path, and reads each", async () => {
      await s.use({}, { versions: 3 });
      for (let n = 1; n <= 5; n++) await put("f", `version ${n}`);
      expect(await textOf("f", 5)).toBe("version 5");
      expect(await textOf("f", 3)).toBe("version 3");
      expect((await s.store.open("notes", "f", 4)).record).toMatchObject({ version: 4, size: 9 });
      expect(await failure(s.store.open("notes", "f", 2))).toMatchObject({
        code: "VERSION_GONE",
        version: 2,
        oldest: 3,
        current: 5,
      });
      expect(await failure(s.store.open("notes", "f", 6))).toMatchObject({
        code: "NOT_FOUND",
        asked: { version: 6, latest: 5 },
      });
      expect((await list()).usage).toEqual({ bytes: 9, count: 1, historyBytes: 18 });
    });

    test("forgets what was replaced or deleted long ago, never what is current", async () => {
      await put("kept", "current");
      await put("f", "one");
      clock.now += 20 * dayMs;
      await put("f", "two");
      await put("gone", "bytes");
      await remove("gone");
      expect(await failure(s.store.open("notes", "gone"))).toMatchObject({
        code: "NOT_FOUND",
        deletedVersion: 1,
      });
      clock.now += 29 * dayMs;
      await s.store.maintain();
      expect(await textOf("f", 1)).toBe("one");
      expect(await textOf("gone", 1)).toBe("bytes");
      clock.now += 2 * dayMs;
      await s.store.maintain();
      expect(await failure(s.store.open("notes", "f", 1))).toMatchObject({ code: "VERSION_GONE" });
      expect(await failure(s.store.open("notes", "gone", 1))).toMatchObject({
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
      const stale = s.store.remove({ app: "notes", path: "f", expectedVersion: 2, client: "t" });
      expect(await failure(stale)).toMatchObject({ code: "VERSION_CONFLICT", current: { version: 1 } });
      await remove("f");
      expect(await failure(remove("f"))).toMatchObject({ code: "NOT_FOUND" });
      expect((await list()).usage).toEqual({ bytes: 0, count: 0, historyBytes: 1 });
    });
  });
}
