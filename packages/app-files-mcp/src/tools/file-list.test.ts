import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createToolBench } from "../testing/tool-bench.ts";
import { fileList } from "./file-list.ts";
import { fileWrite } from "./file-write.ts";

const app = "notes";

async function benchWith(paths: readonly string[], setting = {}) {
  const bench = createToolBench(setting);
  for (const path of paths) {
    bench.clock.now += 1000;
    await bench.call(fileWrite, { app, path, text: path });
  }
  const names = async (args: object) =>
    (await bench.call(fileList, { app, ...args })).entries.map(
      ({ entry }: { entry: { path: string } }) => entry.path,
    );
  return { bench, names };
}

test("gives four fields of each file, and three more with details", async () => {
  const { bench } = await benchWith(["a.txt"]);
  const brief = { path: "a.txt", size: 5, mime: "text/plain", version: 1 };
  const { entries, fields } = await bench.call(fileList, { app });
  expect(entries).toEqual([{ entry: brief, key: ["file", 0, "a.txt"] }]);
  expect(fields).toEqual({
    app,
    usage: {
      bytes: 5,
      count: 1,
      history_bytes: 0,
      limits: { file_bytes: 262_144_000, app_bytes: 5_368_709_120, app_files: 100_000 },
      remaining: { bytes: 5_368_709_115, files: 99_999 },
    },
    files_version: 1,
    total: 1,
  });
  const detailed = await bench.call(fileList, { app, details: true });
  expect(detailed.entries[0].entry).toEqual({
    ...brief,
    sha256: createHash("sha256").update("a.txt").digest("hex"),
    created_at: "2031-02-03T04:05:07.000Z",
    updated_at: "2031-02-03T04:05:07.000Z",
  });
});

test("combines filters", async () => {
  const { names } = await benchWith(["docs/a.txt", "docs/b.csv", "docs/deep/c.txt", "e.txt"]);
  expect(await names({ prefix: "docs/", pattern: "*.txt" })).toEqual(["docs/a.txt", "docs/deep/c.txt"]);
  const late = { prefix: "docs/", mime: "text/*", updated_after: "2031-02-03T04:05:08Z" };
  expect(await names(late)).toEqual(["docs/deep/c.txt"]);
  expect(await names({ ...late, updated_after: "2031-02-03T05:05:07+01:00" })).toEqual([
    "docs/b.csv",
    "docs/deep/c.txt",
  ]);
  expect(await names({ mime: "TEXT/CSV" })).toEqual(["docs/b.csv"]);
  expect(await names({ prefix: "re\u0301" })).toEqual([]);
});

test("shows one level with its folders", async () => {
  const { bench, names } = await benchWith(["docs/a.txt", "docs/deep/c.txt", "e.txt"]);
  const { entries } = await bench.call(fileList, { app, folders: true });
  expect(entries.map(({ entry }: { entry: object }) => entry)).toEqual([
    { path: "docs/", folder: true, count: 2, bytes: 25 },
    { path: "e.txt", size: 5, mime: "text/plain", version: 1 },
  ]);
  expect(await names({ folders: true, prefix: "docs/" })).toEqual(["docs/deep/", "docs/a.txt"]);
});

test("tells what changed, deletions too, and what to go on from", async () => {
  const { bench } = await benchWith(["a", "b"]);
  await bench.deps.store.remove({ app, path: "a", client: "t" });
  const { entries, fields, walk } = await bench.call(fileList, { app, changed_since: 2 });
  expect(entries.map(({ entry }: { entry: object }) => entry)).toEqual([
    { path: "a", version: 1, deleted: true, updated_at: "2031-02-03T04:05:08.000Z" },
  ]);
  expect(fields.files_version).toBe(3);
  expect(walk).toEqual({ version: 3 });
});

test("remembers where a walk by a key that can change began, and no other walk", async () => {
  const { bench } = await benchWith(["a", "b"]);
  expect((await bench.call(fileList, { app, sort: "size" })).walk).toEqual({ version: 2 });
  expect(await bench.call(fileList, { app })).not.toHaveProperty("walk");
});

describe("says in a note", () => {
  test("that an app has no files, with apps that are like it and are served", async () => {
    const { bench } = await benchWith(["a"], { allowed: ["note*"] });
    expect((await bench.call(fileList, { app: "note" })).note).toBe(
      "No app note has files yet; similar apps: notes.",
    );
    expect((await bench.call(fileList, { app: "notexyzabc" })).note).toBe("No app notexyzabc has files yet.");
  });

  test("that a prefix with a slash before it matches nothing", async () => {
    const { bench } = await benchWith(["a"]);
    expect((await bench.call(fileList, { app, prefix: "/a" })).note).toContain("without a slash");
  });
});

test.each([
  [
    { changed_since: 0, folders: true },
    /^INVALID_ARGUMENT: folders: cannot be used together with changed_since/,
  ],
  [{ changed_since: 0, sort: "size" }, /^INVALID_ARGUMENT: sort: cannot/],
  [{ changed_since: 0, order: "desc" }, /^INVALID_ARGUMENT: order: cannot/],
  [{ changed_since: 9 }, /^INVALID_ARGUMENT: changed_since: 9 is later than the app's files_version, 1/],
  [{ mime: "image" }, /^INVALID_ARGUMENT: mime: /],
  [{ prefix: "a\u0000" }, /^INVALID_ARGUMENT: prefix: has a control character/],
  [{ pattern: "**/**/**/**/x" }, /^PATTERN_TOO_COSTLY: pattern: .*over the limit of/],
  [{ app: "A" }, /^INVALID_APP: /],
])("refuses %j", async (args, expected) => {
  const { bench } = await benchWith(["a"]);
  expect(await bench.refusal(fileList, { app, ...args })).toMatch(expected);
});

test("takes date-times alone", () => {
  for (const updated_after of ["2031-02-03", "yesterday"]) {
    expect(fileList.input.safeParse({ app, updated_after }).error?.issues[0]?.message).toContain(
      "must be a date-time",
    );
  }
});
