import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { comparePaths } from "../../src/domain/file-path.ts";
import type { ListView } from "../../src/domain/listing.ts";
import type { Change } from "../../src/domain/store.ts";
import { byPath, dayMs, type StoreSubject } from "./store-subject.ts";

/** The feed of changes, watchers, and what happens at once. */
export function describeChanges(s: StoreSubject): void {
  const { put, remove, list, query, namesOf, textOf, failure, walk, clock } = s;

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
        { kind: "deletion", path: "b", version: 1, deletedAt: clock.now },
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
      clock.now += 31 * dayMs;
      await s.store.maintain();
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
      const page = await s.store.listAll({ allows: (app) => app !== "hidden", after, limit: 3 });
      seen.push(...page.files.map(({ app, file }) => `${app}/${file.path}`));
      const last = page.files.at(-1);
      after = last && [last.app, last.file.path];
      more = page.more;
    }
    expect(seen).toEqual(["alpha/a", "alpha/b", "alpha/ü", "mid/b", "mid/ü", "zeta/a", "zeta/b", "zeta/ü"]);
  });

  test("a watch tells of what is written at once after it began, of a store that was not open yet", async () => {
    let stop = () => {};
    const heard = new Promise<readonly Change[]>((resolve) => {
      stop = s.store.watch(resolve);
    });
    await put("first");
    expect(await heard).toEqual([{ app: "notes", path: "first", kind: "created" }]);
    stop();
  });

  test("tells watchers what happened", async () => {
    await put("before");
    const seen: Change[] = [];
    let enough = () => {};
    const heard = new Promise<void>((resolve) => {
      enough = resolve;
    });
    const stop = s.store.watch((changes) => {
      seen.push(...changes);
      if (seen.some(({ path }) => path === "last")) enough();
    });
    // A store may need a moment to begin; what it tells of is what happens from then on.
    await s.store.list(query());
    clock.now += 1000;
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
          await s.use();
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
}
