import { describe, expect, test } from "vitest";
import { describeContent } from "../../src/domain/content.ts";
import type { StagedRequest } from "../../src/domain/store.ts";
import { dayMs, type StoreSubject } from "./store-subject.ts";

const hourMs = 60 * 60 * 1000;
const request: StagedRequest = { app: "notes", path: "f", detectedMime: "text/plain", client: "test 1" };

/** Contents that come piece by piece: staged in one call, or uploaded over many. */
export function describeUploads(s: StoreSubject): void {
  const { failure, list, textOf, clock } = s;
  const begin = (size = 100, app = "notes") => s.store.uploads.begin(app, size);
  const put = (id: string, seq: number, content: string | Uint8Array) => {
    const bytes = Buffer.from(content);
    return s.store.uploads.put(id, { seq, bytes, facts: describeContent(bytes) });
  };

  async function stage(pieces: readonly (string | Uint8Array)[], more: Partial<StagedRequest> = {}) {
    const staging = await s.store.stage();
    try {
      for (const piece of pieces) await staging.append(Buffer.from(piece));
      await staging.seal();
      return await staging.write({ ...request, ...more });
    } finally {
      await staging.discard();
    }
  }

  describe("a staged content", () => {
    test.each([
      ["nothing", []],
      ["a small one", ["he", "llo"]],
      ["a large one", ["a".repeat(30_000), "é".repeat(300_000), "c"]],
    ])("becomes a version: %s", async (_what, pieces) => {
      const whole = pieces.join("");
      const receipt = await stage(pieces);
      expect(receipt).toMatchObject({ version: 1, size: Buffer.byteLength(whole) });
      expect((await s.store.open("notes", "f")).facts).toEqual(describeContent(Buffer.from(whole)));
      expect(await textOf("f")).toBe(whole);
    });

    test("can be read before it is written, and is nothing where it is discarded", async () => {
      const staging = await s.store.stage();
      await staging.append(Buffer.from("some "));
      await staging.append(Buffer.from("text"));
      await staging.seal();
      expect(Buffer.from(await staging.read(2, 5)).toString()).toBe("me te");
      expect(Buffer.from(await staging.read(7, 50)).toString()).toBe("xt");
      await staging.discard();
      expect((await list()).usage).toEqual({ bytes: 0, count: 0, historyBytes: 0 });
    });

    test("is refused as any write is, and can be written all the same afterwards", async () => {
      const staging = await s.store.stage();
      await staging.append(Buffer.alloc(50_000, "x"));
      await staging.seal();
      expect(await failure(staging.write({ ...request, expectedVersion: 4 }))).toMatchObject({
        code: "VERSION_CONFLICT",
      });
      await staging.write(request);
      await staging.discard();
      expect(await textOf("f")).toBe("x".repeat(50_000));
    });
  });

  describe("an upload", () => {
    test("takes its chunks in any order", async () => {
      const { id, ...upload } = await begin(12);
      expect(upload).toEqual({ app: "notes", size: 12, bytes: 0, createdAt: clock.now, usedAt: clock.now });
      clock.now += 1000;
      expect(await put(id, 2, "cccc")).toEqual({
        upload: { ...upload, id, bytes: 4, usedAt: clock.now },
        isNew: true,
      });
      await put(id, 0, "aaaa");
      expect((await s.store.uploads.parts(id)).map(({ seq, size }) => [seq, size])).toEqual([
        [0, 4],
        [2, 4],
      ]);
      const parts = await s.store.uploads.parts(id);
      const bytes = await s.store.uploads.readPart(id, parts[1] ?? { seq: 2, size: 4, sha256: "" }, {
        offset: 1,
        length: 9,
      });
      expect(Buffer.from(bytes ?? "").toString()).toBe("ccc");
      expect(await s.store.uploads.find(id)).toMatchObject({ bytes: 8 });
    });

    test("acknowledges the same chunk again and refuses other bytes and too many", async () => {
      const { id } = await begin(8);
      await put(id, 0, "aaaa");
      expect(await put(id, 0, "aaaa")).toMatchObject({ isNew: false, upload: { bytes: 4 } });
      expect(await failure(put(id, 0, "bbbb"))).toEqual({
        code: "CHUNK_CONFLICT",
        seq: 0,
        size: 4,
        sha256: describeContent(Buffer.from("aaaa")).sha256,
      });
      expect(await failure(put(id, 1, "ccccc"))).toEqual({ code: "UPLOAD_TOO_LARGE", bytes: 9, size: 8 });
      expect(await s.store.uploads.find(id)).toMatchObject({ bytes: 4 });
      expect(await failure(put("none", 0, "a"))).toEqual({ code: "UPLOAD_NOT_FOUND", uploadId: "none" });
    });

    test("keeps equal chunks apart", async () => {
      const one = await begin();
      const two = await begin();
      const same = Buffer.alloc(40_000, 7);
      expect(await failure(put(one.id, 0, same))).toMatchObject({ code: "UPLOAD_TOO_LARGE" });
      await put(one.id, 0, "same");
      await put(one.id, 1, "same");
      await put(two.id, 0, "same");
      await s.store.uploads.discard(one.id);
      const [part] = await s.store.uploads.parts(two.id);
      expect(part).toBeDefined();
      if (part === undefined) return;
      const bytes = await s.store.uploads.readPart(two.id, part, { offset: 0, length: 9 });
      expect(Buffer.from(bytes ?? "").toString()).toBe("same");
    });

    test("ends with the write that its content goes into, and with no other", async () => {
      const { id } = await begin(5);
      await put(id, 0, "hello");
      expect(await failure(stage(["hello"], { upload: id, expectedVersion: 9 }))).toMatchObject({
        code: "VERSION_CONFLICT",
      });
      expect(await s.store.uploads.find(id)).toMatchObject({ bytes: 5 });
      const command = { id: "c", fingerprint: "1" };
      const receipt = await stage(["hello"], { upload: id, command });
      expect(await s.store.uploads.find(id)).toBeUndefined();
      expect(await s.store.uploads.parts(id)).toEqual([]);
      expect(await textOf("f")).toBe("hello");
      // The same command again finds no upload and needs none.
      expect(await stage(["hello"], { upload: id, command })).toEqual(receipt);
      expect(await failure(stage(["hello"], { upload: id }))).toMatchObject({ code: "UPLOAD_NOT_FOUND" });
    });

    test("is discarded once", async () => {
      const { id } = await begin();
      await put(id, 0, "x");
      expect(await s.store.uploads.discard(id)).toBe(true);
      expect(await s.store.uploads.discard(id)).toBe(false);
      expect(await s.store.uploads.find(id)).toBeUndefined();
    });

    test("is over after a day without use", async () => {
      const { id } = await begin();
      clock.now += dayMs;
      await put(id, 0, "x");
      clock.now += dayMs;
      await s.store.maintain();
      expect(await s.store.uploads.find(id)).toBeDefined();
      clock.now += 1;
      expect(await s.store.uploads.find(id)).toBeUndefined();
      expect(await failure(put(id, 1, "x"))).toMatchObject({ code: "UPLOAD_NOT_FOUND" });
      await s.store.maintain();
      expect(await s.store.uploads.parts(id)).toEqual([]);
    });

    test("makes way for a new one when an app has many and it was idle for an hour", async () => {
      const ids: string[] = [];
      for (let n = 0; n < 16; n++) {
        ids.push((await begin()).id);
        clock.now += 1000;
      }
      expect(await failure(begin())).toEqual({ code: "TOO_MANY_UPLOADS", app: "notes", open: 16 });
      await begin(100, "other");
      clock.now += hourMs - 16_000;
      // The first one has just been used, so that the second is the longest idle.
      await put(ids[0] ?? "", 0, "x");
      expect(await failure(begin())).toMatchObject({ code: "TOO_MANY_UPLOADS" });
      clock.now += 1000;
      await begin();
      const left = await Promise.all(ids.map(async (id) => (await s.store.uploads.find(id)) !== undefined));
      expect(left).toEqual(ids.map((_, n) => n !== 1));
    });

    test("counts in the store while it is there, and gives its place back", async () => {
      await s.use({ store_bytes: 100 });
      await s.put("old", "1".repeat(30));
      await s.put("old", "2".repeat(30));
      expect(await failure(begin(101))).toMatchObject({ code: "LIMIT_EXCEEDED", limit: "store_bytes" });
      const { id } = await begin(80);
      await put(id, 0, "3".repeat(60));
      expect((await list()).usage.historyBytes).toBe(0);
      expect(await failure(put(id, 1, "4".repeat(20)))).toMatchObject({
        code: "LIMIT_EXCEEDED",
        limit: "store_bytes",
        wanted: 110,
      });
      expect(await s.store.uploads.find(id)).toMatchObject({ bytes: 60 });
      expect(await failure(s.put("more", "5".repeat(20)))).toMatchObject({ limit: "store_bytes" });
      await stage(["3".repeat(60)], { upload: id });
      await s.put("more", "5".repeat(10));
      const second = await begin(20);
      expect(await failure(put(second.id, 0, "6"))).toMatchObject({ limit: "store_bytes" });
      await s.store.uploads.discard(second.id);
      expect((await list()).usage).toEqual({ bytes: 100, count: 3, historyBytes: 0 });
    });

    test("is refused where one file may not be so large", async () => {
      await s.use({ file_bytes: 50 });
      expect(await failure(begin(51))).toMatchObject({ code: "LIMIT_EXCEEDED", limit: "file_bytes" });
      expect(await begin(50)).toMatchObject({ size: 50 });
    });
  });
}
