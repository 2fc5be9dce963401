import { describe, expect, test } from "vitest";
import type { RestoreAllRequest, RestoreRequest } from "../../src/domain/file-changes.ts";
import { dayMs, type StoreSubject } from "./store-subject.ts";

/** Restoring, histories and the list of apps. */
export function describeRestoring(s: StoreSubject): void {
  const { put, remove, list, namesOf, textOf, failure, clock } = s;

  const restore = (path: string, more: Partial<RestoreRequest> = {}) =>
    s.store.restore({ app: "notes", path, client: "test 2", ...more });
  const restoreAll = (prefix: string, asOf: number, more: Partial<RestoreAllRequest> = {}) =>
    s.store.restoreAll({ app: "notes", prefix, asOf, client: "test 2", ...more });

  describe("restoring a file", () => {
    test("brings a deleted one back as a new version", async () => {
      await put("f", "one", { mime: "text/csv" });
      await put("f", "two");
      await remove("f");
      clock.now += 1000;
      expect(await restore("f")).toMatchObject({
        ...{ path: "f", version: 3, size: 3, mime: "text/csv", filesVersion: 4 },
        ...{ createdAt: clock.now, from: { version: 2 } },
      });
      expect([await textOf("f"), await textOf("f", 1), await textOf("f", 2)]).toEqual(["two", "one", "two"]);
      expect((await list()).usage).toEqual({ bytes: 3, count: 1, historyBytes: 6 });
    });

    test("makes an older version the newest, and loses none", async () => {
      await put("f", "one", { mime: "text/csv" });
      await put("f", "other", { mime: "text/html" });
      expect(await restore("f", { version: 1, expectedVersion: 2 })).toMatchObject({
        ...{ version: 3, mime: "text/csv", from: { version: 1 } },
      });
      expect([await textOf("f"), await textOf("f", 2)]).toEqual(["one", "other"]);
    });

    test("brings back what was moved away", async () => {
      await put("a", "A");
      const request = { app: "notes", path: "a", newApp: "notes", newPath: "b", overwrite: false };
      await s.store.move({ ...request, client: "t" });
      await restore("a");
      expect([await textOf("a"), await textOf("b")]).toEqual(["A", "A"]);
    });

    test("is refused with the reason", async () => {
      await s.use({ app_bytes: 10 }, { versions: 2 });
      for (const text of ["1", "2", "3"]) await put("f", text);
      expect(await failure(restore("f"))).toEqual({ code: "NOT_DELETED", path: "f", version: 3 });
      expect(await failure(restore("f", { version: 1 }))).toMatchObject({ code: "VERSION_GONE", oldest: 2 });
      expect(await failure(restore("f", { version: 4 }))).toMatchObject({ code: "NOT_FOUND" });
      expect(await failure(restore("g"))).toMatchObject({ code: "NOT_FOUND", nearest: ["f"] });
      expect(await failure(restore("f", { version: 2, expectedVersion: 0 }))).toMatchObject({
        code: "VERSION_CONFLICT",
      });
      await put("big", "123456789");
      await remove("big");
      await put("BIG", "12345");
      expect(await failure(restore("big"))).toMatchObject({ code: "PATH_COLLISION", other: "BIG" });
      await s.store.remove({ app: "notes", path: "BIG", client: "t" });
      await put("other", "12345");
      expect(await failure(restore("big"))).toMatchObject({ code: "LIMIT_EXCEEDED", limit: "app_bytes" });
      clock.now += 31 * dayMs;
      await s.store.maintain();
      expect(await failure(restore("big"))).toMatchObject({ code: "VERSION_GONE", oldest: undefined });
    });
  });

  describe("restoring a prefix", () => {
    /** Files of two folders, then changes of every kind; returns the files_version before those. */
    async function arrange(): Promise<number> {
      await put("d/kept", "kept");
      await put("d/changed", "old");
      await put("d/deleted", "gone");
      await put("d/moved", "moved");
      await put("e/changed", "e old");
      const { filesVersion } = await list();
      await put("d/changed", "new");
      await put("d/changed", "newer");
      await remove("d/deleted");
      const move = { app: "notes", path: "d/moved", newApp: "notes", newPath: "d/elsewhere" };
      await s.store.move({ ...move, overwrite: false, client: "t" });
      await put("d/added", "added");
      await put("e/changed", "e new");
      return filesVersion;
    }

    test("makes it what it was, and nothing else", async () => {
      const asOf = await arrange();
      const before = await list();
      const rehearsal = await restoreAll("d/", asOf, { dryRun: true });
      expect(await list()).toEqual(before);
      expect(await restoreAll("d/", asOf)).toEqual(rehearsal);
      expect(rehearsal).toEqual({
        ...{ app: "notes", restored: 3, deleted: 2, filesVersion: 17 },
        files: [
          { path: "d/added", action: "deleted", version: 1 },
          { path: "d/elsewhere", action: "deleted", version: 1 },
          { path: "d/changed", action: "restored", version: 4, fromVersion: 1 },
          { path: "d/deleted", action: "restored", version: 2, fromVersion: 1 },
          { path: "d/moved", action: "restored", version: 2, fromVersion: 1 },
        ],
      });
      const after = await list();
      expect(namesOf(after)).toEqual(["d/changed", "d/deleted", "d/kept", "d/moved", "e/changed"]);
      expect(await textOf("d/changed")).toBe("old");
      expect(await textOf("e/changed")).toBe("e new");
      expect(after.usage.bytes).toBe("oldgonekeptmovede new".length);
      expect([await textOf("d/added", 1), await textOf("d/changed", 3)]).toEqual(["added", "newer"]);
      expect(await restoreAll("d/", asOf)).toMatchObject({ restored: 0, deleted: 0, filesVersion: 17 });
    });

    test("can itself be undone", async () => {
      const asOf = await arrange();
      const { filesVersion } = await list();
      const names = namesOf(await list());
      await restoreAll("", asOf);
      await restoreAll("", filesVersion);
      expect(namesOf(await list())).toEqual(names);
      expect(await textOf("d/changed")).toBe("newer");
      await restoreAll("", 0);
      expect(namesOf(await list())).toEqual([]);
    });

    test("is refused whole where the history does not reach back", async () => {
      await s.use({}, { versions: 2 });
      await put("a", "1");
      for (const text of ["1", "2", "3"]) await put("log", text);
      await put("a", "2");
      const before = await list();
      expect(await failure(restoreAll("", 2))).toEqual({
        ...{ code: "HISTORY_EXPIRED", path: "log", asOf: 2, oldest: 3 },
      });
      expect(await list()).toEqual(before);
      await restoreAll("", 3);
      expect([await textOf("log"), await textOf("a")]).toEqual(["2", "1"]);
      expect(await failure(restoreAll("a", 99))).toMatchObject({ code: "INVALID_ARGUMENT" });
    });

    test("is refused where a deletion of that time is forgotten", async () => {
      await put("a", "1");
      await put("b", "1");
      await remove("a");
      clock.now += 31 * dayMs;
      await s.store.maintain();
      expect(await failure(restoreAll("", 2))).toMatchObject({
        code: "HISTORY_EXPIRED",
        path: "a",
        oldest: 3,
      });
      expect(await restoreAll("b", 2)).toMatchObject({ restored: 0, deleted: 0 });
      expect(await restoreAll("", 3)).toMatchObject({ restored: 0, deleted: 0 });
    });

    test("holds to the limits at its end, not on its way", async () => {
      await s.use({ app_bytes: 10, app_files: 1 });
      await put("z", "1234567890");
      await remove("z");
      await put("a", "abcdefghij");
      await restoreAll("", 1);
      expect(await textOf("z")).toBe("1234567890");
      expect(namesOf(await list())).toEqual(["z"]);

      await s.use({ app_bytes: 10 });
      await put("a", "12345678");
      await put("z", "1");
      await put("a", "1");
      await put("z", "12345678");
      const { files } = await restoreAll("", 2);
      expect(files.map(({ path }) => path)).toEqual(["a", "z"]);
      expect([await textOf("a"), await textOf("z")]).toEqual(["12345678", "1"]);
    });

    test("is done once for a command", async () => {
      const command = { id: "r1", fingerprint: "restore" };
      await put("a", "1");
      await put("a", "2");
      const first = await restoreAll("", 1, { command });
      await put("a", "3");
      expect(await restoreAll("", 1, { command })).toEqual(first);
      expect(await textOf("a")).toBe("3");
    });
  });

  describe("the history of a path", () => {
    test("tells of every change that is kept, the newest first", async () => {
      await put("f", "one");
      clock.now += 1000;
      await s.store.remove({ app: "notes", path: "f", client: "test 3" });
      await restore("f");
      await put("g", "other");
      const transfer = { app: "notes", path: "g", newApp: "notes", newPath: "f", client: "t" };
      await s.store.copy({ ...transfer, overwrite: true });
      await s.store.move({ ...transfer, path: "f", newPath: "h", overwrite: false });
      const { entries, total, more } = await s.store.history({ app: "notes", path: "f", limit: 100 });
      expect({ total, more }).toEqual({ total: 5, more: false });
      const told = entries.map((e) => [
        e.version,
        e.action,
        e.isDeletion,
        e.isCurrent,
        e.size,
        e.filesVersion,
      ]);
      expect(told).toEqual([
        [3, "move", true, false, 0, 6],
        [3, "copy", false, false, 5, 5],
        [2, "restore", false, false, 3, 3],
        [1, "delete", true, false, 0, 2],
        [1, "write", false, false, 3, 1],
      ]);
      expect(entries[3]).toMatchObject({ sha256: undefined, at: clock.now, client: "test 3" });
      expect(entries[4]).toMatchObject({ at: clock.now - 1000, mime: "text/plain", client: "test 1" });
      const current = await s.store.history({ app: "notes", path: "h", limit: 100 });
      expect(current.entries).toMatchObject([{ action: "move", isCurrent: true, isDeletion: false }]);
    });

    test("comes in pages", async () => {
      for (let n = 1; n <= 5; n++) await put("f", `version ${n}`);
      const seen: number[] = [];
      let before: number | undefined;
      for (let more = true; more; ) {
        const page = await s.store.history({ app: "notes", path: "f", before, limit: 2 });
        seen.push(...page.entries.map(({ version }) => version));
        before = page.entries.at(-1)?.filesVersion;
        ({ more } = page);
        expect(page.total).toBe(5);
      }
      expect(seen).toEqual([5, 4, 3, 2, 1]);
    });

    test("ends when all of it is forgotten", async () => {
      await put("f");
      expect(await failure(s.store.history({ app: "notes", path: "g", limit: 5 }))).toMatchObject({
        ...{ code: "NOT_FOUND", nearest: ["f"] },
      });
      await remove("f");
      clock.now += 31 * dayMs;
      await s.store.maintain();
      expect(await failure(s.store.history({ app: "notes", path: "f", limit: 5 }))).toMatchObject({
        code: "NOT_FOUND",
      });
    });
  });

  test("lists the apps that have files, by name, in pages", async () => {
    for (const app of ["zeta", "alpha", "hidden", "al", "empty"]) await put("f", app, { app });
    await put("g", "more", { app: "al" });
    await put("g", "less", { app: "al" });
    await remove("f", "empty");
    const allows = (app: string) => app !== "hidden";
    const first = await s.store.listApps({ allows, prefix: "", limit: 2 });
    expect(first).toMatchObject({ more: true, total: 3 });
    expect(first.apps).toEqual([
      {
        ...{ app: "al", filesVersion: 3, updatedAt: clock.now },
        usage: { bytes: 6, count: 2, historyBytes: 4 },
      },
      {
        ...{ app: "alpha", filesVersion: 1, updatedAt: clock.now },
        usage: { bytes: 5, count: 1, historyBytes: 0 },
      },
    ]);
    const rest = await s.store.listApps({ allows, prefix: "", after: "alpha", limit: 2 });
    expect([rest.apps.map(({ app }) => app), rest.more]).toEqual([["zeta"], false]);
    const narrowed = await s.store.listApps({ allows, prefix: "alp", limit: 5 });
    expect([narrowed.apps.map(({ app }) => app), narrowed.total]).toEqual([["alpha"], 1]);
  });
}
