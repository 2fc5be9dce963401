import { describe, expect, test } from "vitest";
import type { RemoveAllRequest, TransferRequest } from "../../src/domain/file-changes.ts";
import { readAll } from "../../src/domain/read-window.ts";
import type { StoreSubject } from "./store-subject.ts";

/** Copies, moves and deletions. */
export function describeTransfers(s: StoreSubject): void {
  const { put, remove, list, query, namesOf, textOf, failure, clock } = s;

  const transfer = (path: string, newPath: string, more: Partial<TransferRequest> = {}): TransferRequest => ({
    app: "notes",
    path,
    newApp: "notes",
    newPath,
    overwrite: false,
    client: "test 2",
    ...more,
  });
  const removeAll = (prefix: string, more: Partial<RemoveAllRequest> = {}) =>
    s.store.removeAll({ app: "notes", prefix, client: "test 2", ...more });

  describe("copying", () => {
    test.each([5, 100_000])("gives a content of %i bytes a second path", async (size) => {
      const bytes = new Uint8Array(size).fill(7);
      const { sha256 } = await put("a", bytes, { mime: "text/csv" });
      clock.now += 1000;
      expect(await s.store.copy(transfer("a", "d/b"))).toEqual({
        ...{ app: "notes", path: "d/b", size, mime: "text/csv", sha256, version: 1, filesVersion: 2 },
        ...{ createdAt: clock.now, updatedAt: clock.now },
        from: { app: "notes", path: "a", version: 1, filesVersion: 2 },
      });
      await remove("a");
      await put("a", "other");
      await s.store.maintain();
      expect(Buffer.compare(await readAll(await s.store.open("notes", "d/b")), bytes)).toBe(0);
      expect((await list()).usage).toEqual({ bytes: size + 5, count: 2, historyBytes: size });
    });

    test("into another app counts there", async () => {
      await put("a", "12345");
      await s.store.copy(transfer("a", "a", { newApp: "other" }));
      expect((await list()).filesVersion).toBe(1);
      const other = await s.store.list({ ...query(), app: "other" });
      expect(other).toMatchObject({ filesVersion: 1, usage: { bytes: 5, count: 1 } });
    });

    test("replaces only where it may", async () => {
      await put("a", "A");
      const { sha256 } = await put("b", "B");
      expect(await failure(s.store.copy(transfer("a", "b")))).toEqual({
        ...{ code: "FILE_EXISTS", argument: "new_path", path: "b" },
        current: { version: 1, size: 1, sha256 },
      });
      expect([await textOf("a"), await textOf("b"), (await list()).filesVersion]).toEqual(["A", "B", 2]);
      expect(await s.store.copy(transfer("a", "b", { overwrite: true }))).toMatchObject({ version: 2 });
      expect([await textOf("b"), await textOf("b", 1)]).toEqual(["A", "B"]);
    });

    test("is refused where a write would be", async () => {
      await s.use({ app_bytes: 15, app_files: 3 });
      await put("a", "1234567890");
      const refused = async (request: TransferRequest) =>
        (await failure(s.store.copy(request))) as { code: string; limit?: string };
      expect(await refused(transfer("a", "b"))).toMatchObject({ code: "LIMIT_EXCEEDED", limit: "app_bytes" });
      expect(await refused(transfer("a", "A"))).toMatchObject({ code: "PATH_COLLISION", kind: "case" });
      expect(await refused(transfer("a", "a/b"))).toMatchObject({ kind: "inside-file" });
      expect(await refused(transfer("a", "a"))).toMatchObject({ argument: "new_path" });
      expect(await refused(transfer("none", "b"))).toMatchObject({ code: "NOT_FOUND" });
      expect(await refused(transfer("a", "b", { expectedVersion: 2 }))).toMatchObject({
        ...{ code: "VERSION_CONFLICT", path: "a" },
        current: { version: 1 },
      });
      expect(namesOf(await list())).toEqual(["a"]);
    });
  });

  describe("moving", () => {
    test("leaves the history where it was, and goes on at the new path", async () => {
      await put("a", "one");
      await put("a", "two");
      await put("b", "old");
      await remove("b");
      expect(await s.store.move(transfer("a", "b"))).toMatchObject({
        ...{ path: "b", version: 2, filesVersion: 6 },
        from: { app: "notes", path: "a", version: 2, filesVersion: 6 },
      });
      expect(namesOf(await list())).toEqual(["b"]);
      expect([await textOf("b"), await textOf("b", 1), await textOf("a", 1)]).toEqual(["two", "old", "one"]);
      expect((await list()).usage).toEqual({ bytes: 3, count: 1, historyBytes: 9 });
      expect((await put("a", "anew")).version).toBe(3);
      const feed = await list({ kind: "changes", since: 4 });
      expect(feed.entries.map(({ entry }) => entry.kind)).toEqual(["file", "file"]);
    });

    test("tells the feed of both ends", async () => {
      await put("a");
      await s.store.move(transfer("a", "b"));
      const { entries } = await list({ kind: "changes", since: 1 });
      expect(entries.map(({ entry }) => entry)).toMatchObject([
        { kind: "deletion", path: "a", version: 1 },
        { kind: "file", file: { path: "b" } },
      ]);
    });

    test("never stands in its own way", async () => {
      await s.use({ app_bytes: 10, app_files: 1, store_files: 1, store_bytes: 10 });
      await put("config.md", "1234567890");
      for (const [from, to] of [
        ["config.md", "Config.md"],
        ["Config.md", "Config.md/inner"],
        ["Config.md/inner", "config.md"],
      ] as const) {
        await s.store.move(transfer(from, to));
        expect(namesOf(await list())).toEqual([to]);
        expect(await textOf(to)).toBe("1234567890");
      }
    });

    test("refused, changes nothing at either end", async () => {
      await put("a", "A");
      await put("b", "B");
      const before = await list();
      expect(await failure(s.store.move(transfer("a", "b")))).toMatchObject({ code: "FILE_EXISTS" });
      expect(await failure(s.store.move(transfer("a", "B")))).toMatchObject({ code: "PATH_COLLISION" });
      expect(await list()).toEqual(before);
    });

    test("between apps gives the quota back here and takes it there", async () => {
      await put("a", "12345");
      await s.store.move(transfer("a", "x", { newApp: "other" }));
      expect((await list()).usage).toEqual({ bytes: 0, count: 0, historyBytes: 5 });
      expect((await s.store.list({ ...query(), app: "other" })).usage.bytes).toBe(5);
    });

    test("is done once for a command", async () => {
      await put("a", "A");
      const command = { id: "m1", fingerprint: "move a b" };
      const first = await s.store.move(transfer("a", "b", { command }));
      await put("b", "later");
      expect(await s.store.move(transfer("a", "b", { command }))).toEqual(first);
      const other = { id: "m1", fingerprint: "move a c" };
      expect(await failure(s.store.copy(transfer("b", "c", { command: other })))).toMatchObject({
        code: "COMMAND_ID_REUSED",
      });
    });
  });

  describe("deleting", () => {
    test("a prefix deletes what starts with it as text, and nothing else", async () => {
      for (const path of ["docs/a", "docs/b/c", "docs2", "other"]) await put(path, path);
      const rehearsal = await removeAll("docs", { dryRun: true });
      expect(rehearsal).toMatchObject({ count: 3, bytes: 19, filesVersion: 7 });
      expect(rehearsal.files).toEqual([
        { path: "docs/a", version: 1, size: 6 },
        { path: "docs/b/c", version: 1, size: 8 },
        { path: "docs2", version: 1, size: 5 },
      ]);
      expect((await list()).filesVersion).toBe(4);
      expect(await removeAll("docs", { expectedCount: 3 })).toEqual(rehearsal);
      expect(namesOf(await list())).toEqual(["other"]);
      expect((await list()).usage).toEqual({ bytes: 5, count: 1, historyBytes: 19 });
      expect(await textOf("docs/b/c", 1)).toBe("docs/b/c");
      const feed = await list({ kind: "changes", since: 4 });
      expect(namesOf(feed)).toEqual(["docs/a", "docs/b/c", "docs2"]);
      expect(await removeAll("docs", { expectedCount: 0 })).toMatchObject({ count: 0, filesVersion: 7 });
    });

    test("refuses when there are other files than were counted", async () => {
      await put("d/a");
      await put("d/b");
      expect(await failure(removeAll("d/", { expectedCount: 1 }))).toEqual({
        ...{ code: "COUNT_CONFLICT", prefix: "d/", expected: 1, actual: 2 },
      });
      expect((await list()).usage.count).toBe(2);
    });

    test("an unknown app or prefix deletes nothing", async () => {
      expect(await removeAll("x")).toMatchObject({ count: 0, filesVersion: 0 });
      await put("a");
      expect(await removeAll("x")).toMatchObject({ count: 0, filesVersion: 1 });
      expect((await list()).filesVersion).toBe(1);
    });

    test("rehearsed, says what would be refused too", async () => {
      await put("a");
      const request = { app: "notes", path: "a", client: "t", dryRun: true };
      expect(await s.store.remove(request)).toMatchObject({ path: "a", version: 1, size: 1 });
      const stale = { ...request, expectedVersion: 2 };
      expect(await failure(s.store.remove(stale))).toMatchObject({ code: "VERSION_CONFLICT" });
      expect(await textOf("a")).toBe("x");
    });

    test("is done once for a command", async () => {
      const command = { id: "d1", fingerprint: "remove a" };
      await put("a");
      const request = { app: "notes", path: "a", client: "t", command };
      const first = await s.store.remove(request);
      await put("a", "again");
      expect(await s.store.remove(request)).toEqual(first);
      expect(await textOf("a")).toBe("again");
    });
  });
}
