import { describe, expect, test } from "vitest";
import { describeContent } from "../../src/domain/content.ts";
import { readAll } from "../../src/domain/read-window.ts";
import { dayMs, type StoreSubject } from "./store-subject.ts";

/** Writing, reading and the conditions of both. */
export function describeWriting(s: StoreSubject): void {
  const { put, remove, list, namesOf, textOf, failure, clock } = s;

  describe("writing and reading", () => {
    test("gives back what was written, and what it is", async () => {
      const receipt = await put("résumé (1).pdf", "content", { mime: "application/pdf" });
      const { record, facts } = await s.store.open("notes", "résumé (1).pdf");
      expect(receipt).toEqual({ ...record, app: "notes", filesVersion: 1 });
      expect(record).toEqual({
        path: "résumé (1).pdf",
        size: 7,
        mime: "application/pdf",
        sha256: "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73",
        version: 1,
        createdAt: clock.now,
        updatedAt: clock.now,
      });
      expect(facts).toEqual(describeContent(Buffer.from("content")));
      expect(await s.store.find("notes", "résumé (1).pdf")).toEqual(record);
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
        const content = await s.store.open("notes", "b.bin");
        expect(Buffer.compare(await readAll(content), bytes)).toBe(0);
        expect(Buffer.compare(await content.read(size - 1, 10), bytes.subarray(size - 1))).toBe(0);
        const middle = Math.floor(size / 2);
        expect(Buffer.compare(await content.read(middle, 5), bytes.subarray(middle, middle + 5))).toBe(0);
      },
    );

    test("replaces, keeps the type and the time of creation, and counts versions", async () => {
      await put("a", "one", { mime: "text/csv" });
      clock.now += 1000;
      const second = await put("a", "two!", { detectedMime: "text/html" });
      expect(second).toMatchObject({
        version: 2,
        mime: "text/csv",
        createdAt: clock.now - 1000,
        updatedAt: clock.now,
        filesVersion: 2,
      });
      expect((await put("a", "x", { mime: "text/html" })).mime).toBe("text/html");
      expect((await list()).usage).toEqual({ bytes: 1, count: 1, historyBytes: 7 });
    });

    test("never dates a version before the one that it replaces", async () => {
      await put("a");
      clock.now -= 5000;
      expect((await put("a")).updatedAt).toBe(clock.now + 5000);
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
      await s.store.maintain();
      expect(Buffer.compare(await readAll(await s.store.open("notes", "c")), bytes)).toBe(0);
    });

    test("names the nearest when there is no such file", async () => {
      await put("docs/report.pdf");
      await put("docs/other.txt");
      expect(await failure(s.store.open("notes", "docs/reprot.pdf"))).toMatchObject({
        code: "NOT_FOUND",
        nearest: ["docs/report.pdf"],
      });
      // What lies in a folder, however unlike its name.
      await put("docs/a long name of something else entirely.txt");
      expect(await failure(s.store.open("notes", "docs"))).toMatchObject({
        nearest: ["docs/a long name of something else entirely.txt", "docs/other.txt", "docs/report.pdf"],
      });
      expect(await failure(s.store.open("nobody", "a"))).toMatchObject({ code: "NOT_FOUND", nearest: [] });
      expect(await s.store.find("notes", "none")).toBeUndefined();
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
      expect(await s.store.receipt(command)).toEqual(first);
      expect(await s.store.find("notes", "f")).toBeUndefined();
      const other = { id: "c1", fingerprint: "something else" };
      expect(await failure(put("g", "b", { command: other }))).toEqual({
        code: "COMMAND_ID_REUSED",
        commandId: "c1",
      });
      expect(await failure(s.store.receipt(other))).toMatchObject({ code: "COMMAND_ID_REUSED" });
      expect(await s.store.receipt({ id: "c2", fingerprint: "x" })).toBeUndefined();
      clock.now += 31 * dayMs;
      await s.store.maintain();
      expect((await put("g", "b", { command: other })).version).toBe(1);
    });

    test("keeps no receipt of what was refused", async () => {
      const command = { id: "c1", fingerprint: "write f" };
      await failure(put("f", "a", { command, expectedVersion: 3 }));
      expect(await s.store.receipt(command)).toBeUndefined();
    });
  });
}
