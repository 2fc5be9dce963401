import { describe, expect, test } from "vitest";
import { comparePaths } from "../../src/domain/file-path.ts";
import type { ListView } from "../../src/domain/listing.ts";
import { byPath, type StoreSubject } from "./store-subject.ts";

/** Pages of one app, their filters, orders and roll-ups. */
export function describeListing(s: StoreSubject): void {
  const { put, list, query, namesOf, failure, walk, clock } = s;

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
        clock.now += 1000;
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
      expect(await s.store.list({ ...query(), app: "recipe" })).toEqual({
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
      const { entries } = await list(byPath, { updatedAfter: clock.now - 1000 });
      expect(entries.length).toBe(1);
      expect((await list(byPath, { updatedAfter: clock.now })).entries).toEqual([]);
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
        clock.now += 1000;
        await put(`f${String(n).padStart(2, "0")}`, "x");
      }
      for (const order of ["asc", "desc"] as const) {
        let touched = 0;
        const { names, pages } = await walk({ ...byPath, sort: "updated", order }, {}, 3, async () => {
          clock.now += 1000;
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
}
