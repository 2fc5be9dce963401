import { describe, expect, test } from "vitest";
import { createToolBench } from "../testing/tool-bench.ts";
import { fileDelete } from "./file-delete.ts";
import { fileHistory } from "./file-history.ts";
import { fileList } from "./file-list.ts";
import { fileRead } from "./file-read.ts";
import { fileRestore } from "./file-restore.ts";
import { fileWrite } from "./file-write.ts";

const app = "notes";

async function arrange() {
  const bench = createToolBench();
  for (const path of ["docs/a", "docs/b", "docs2"]) await bench.call(fileWrite, { app, path, text: path });
  const paths = async () => {
    const { entries } = await bench.call(fileList, { app });
    return entries.map(({ entry }: { entry: { path: string } }) => entry.path);
  };
  return { bench, paths };
}

test("deletes one file, and says what is gone", async () => {
  const { bench, paths } = await arrange();
  const args = { app, path: "docs/a" };
  const expected = { app, bytes: 6, deleted: 1, files: [{ path: "docs/a", version: 1, size: 6 }] };
  expect(await bench.call(fileDelete, { ...args, dry_run: true })).toEqual({
    ...expected,
    ...{ dry_run: true, files_version: 3 },
  });
  expect(await bench.call(fileDelete, args)).toEqual({ ...expected, dry_run: false, files_version: 4 });
  expect(await paths()).toEqual(["docs/b", "docs2"]);
  expect(await bench.refusal(fileDelete, args)).toMatch(
    /NOT_FOUND: .*deleted at version 1.*\nNext: .*file_restore/,
  );
});

test("deletes a prefix as it was counted, and restores it", async () => {
  const { bench, paths } = await arrange();
  const { deleted, files_version } = await bench.call(fileDelete, { app, prefix: "docs/", dry_run: true });
  expect({ deleted, files_version }).toEqual({ deleted: 2, files_version: 3 });
  await bench.call(fileDelete, { app, prefix: "docs/", expected_count: deleted });
  expect(await paths()).toEqual(["docs2"]);
  const restored = await bench.call(fileRestore, { app, prefix: "docs/", as_of: files_version });
  expect(restored).toMatchObject({ restored: 2, deleted: 0, dry_run: false, files_version: 7 });
  expect(await paths()).toEqual(["docs/a", "docs/b", "docs2"]);
});

test("names the first of many, within the budget", async () => {
  const bench = createToolBench();
  const long = "x".repeat(200);
  for (let n = 0; n < 250; n++) await bench.call(fileWrite, { app, path: `${long}${n}`, text: "" });
  const dry = await bench.call(fileDelete, { app, prefix: "", dry_run: true }, { budget: 10_000 });
  expect(dry.deleted).toBe(250);
  expect(dry.files.length).toBeLessThan(50);
  expect(dry.note).toBe(`The first ${dry.files.length} of 250 files are named.`);
});

test("restores a file that was deleted, and another version", async () => {
  const { bench } = await arrange();
  await bench.call(fileWrite, { app, path: "docs2", text: "second" });
  await bench.call(fileDelete, { app, path: "docs2" });
  expect(await bench.call(fileRestore, { app, path: "docs2" })).toEqual({
    ...{ app, restored: 1, deleted: 0, dry_run: false, files_version: 6 },
    files: [{ path: "docs2", action: "restored", version: 3, from_version: 2 }],
  });
  await bench.call(fileRestore, { app, path: "docs2", version: 1, expected_version: 3 });
  expect(await bench.call(fileRead, { app, path: "docs2" })).toMatchObject({ text: "docs2", version: 4 });
  const dry = await bench.call(fileRestore, { app, path: "docs2", version: 2, dry_run: true });
  expect(dry).toMatchObject({ dry_run: true, files_version: 7 });
  expect((await bench.call(fileRead, { app, path: "docs2" })).version).toBe(4);
  const history = await bench.call(fileHistory, { app, path: "docs2" });
  expect(history.entries.map(({ entry }: { entry: object }) => entry)).toMatchObject([
    { version: 4, action: "restore", current: true, client: "test 1", files_version: 7 },
    { version: 3, action: "restore" },
    { version: 2, action: "delete", deleted: true },
    { version: 2, action: "write", size: 6 },
    { version: 1, action: "write", sha256: expect.any(String) },
  ]);
});

test("says when there is nothing to restore", async () => {
  const { bench } = await arrange();
  const done = await bench.call(fileRestore, { app, prefix: "", as_of: 3 });
  expect(done).toMatchObject({
    restored: 0,
    deleted: 0,
    files: [],
    note: expect.stringContaining("nothing"),
  });
});

describe("refuses", () => {
  test.each([
    ["neither path nor prefix", fileDelete, {}, /INVALID_ARGUMENT: path: is missing, and prefix too/],
    ["both", fileDelete, { path: "docs2", prefix: "d" }, /prefix: cannot be used together with path/],
    [
      "a prefix that was not counted",
      fileDelete,
      { prefix: "d" },
      /expected_count: is missing.*\nNext: .*dry_run true/,
    ],
    ["another count", fileDelete, { prefix: "d", expected_count: 2 }, /COUNT_CONFLICT: .* there are 3/],
    [
      "a count with a path",
      fileDelete,
      { path: "docs2", expected_count: 1 },
      /expected_count: goes with prefix alone/,
    ],
    [
      "a version with a prefix",
      fileDelete,
      { prefix: "d", expected_version: 1 },
      /expected_version: goes with path/,
    ],
    ["a stale version", fileDelete, { path: "docs2", expected_version: 7 }, /VERSION_CONFLICT/],
    ["a control character", fileDelete, { prefix: "d\n" }, /prefix: has a control character/],
    ["a prefix without a time", fileRestore, { prefix: "d" }, /as_of: is missing/],
    ["a time with a path", fileRestore, { path: "docs2", as_of: 1 }, /as_of: goes with prefix alone/],
    [
      "a file that is there",
      fileRestore,
      { path: "docs2" },
      /NOT_DELETED: version: .*version 1.*\nNext: .*file_history/,
    ],
    ["a time to come", fileRestore, { prefix: "", as_of: 99 }, /as_of: 99 is later/],
    ["an app that is none", fileRestore, { app: "A", path: "docs2" }, /INVALID_APP: app: /],
  ] as const)("%s", async (_, tool, args, expected) => {
    const { bench, paths } = await arrange();
    expect(await bench.refusal(tool, { app, ...args })).toMatch(expected);
    expect(await paths()).toEqual(["docs/a", "docs/b", "docs2"]);
  });
});

test.each([
  [fileDelete, { path: "docs2" }, { path: "docs/a" }],
  [fileDelete, { prefix: "docs/", expected_count: 2 }, { prefix: "docs" }],
  [fileRestore, { prefix: "", as_of: 1 }, { as_of: 2 }],
])("a command_id stands for one call: %#", async (tool, args, other) => {
  const { bench, paths } = await arrange();
  const call = { app, ...args, command_id: "c1" };
  const first = await bench.call(tool, call);
  const after = await paths();
  await bench.call(fileWrite, { app, path: "docs/b", text: "later" });
  expect(await bench.call(tool, call)).toEqual(first);
  expect(await paths()).toEqual([...new Set([...after, "docs/b"])].sort());
  expect(await bench.refusal(tool, { ...call, ...other })).toContain("COMMAND_ID_REUSED");
});
