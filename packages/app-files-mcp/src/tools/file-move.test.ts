import { describe, expect, test } from "vitest";
import { createToolBench } from "../testing/tool-bench.ts";
import { appList } from "./app-list.ts";
import { fileCopy } from "./file-copy.ts";
import { fileHistory } from "./file-history.ts";
import { fileList } from "./file-list.ts";
import { fileMove } from "./file-move.ts";
import { fileRead } from "./file-read.ts";
import { fileWrite } from "./file-write.ts";

const app = "notes";

async function arrange(setting = {}) {
  const bench = createToolBench(setting);
  await bench.call(fileWrite, { app, path: "a", text: "A", mime: "text/x-own" });
  await bench.call(fileWrite, { app, path: "b", text: "B" });
  const textOf = async (path: string, of = app) => (await bench.call(fileRead, { app: of, path })).text;
  return { bench, textOf };
}

test.each([
  ["copies", fileCopy, 3],
  ["moves", fileMove, 4],
])("%s a file, with its type", async (_, tool, files_version) => {
  const { bench, textOf } = await arrange();
  const receipt = await bench.call(tool, { app, path: "a", new_path: "c/d" });
  expect(receipt).toMatchObject({
    ...{ app, path: "c/d", size: 1, mime: "text/x-own", version: 1, files_version },
    from: { app, path: "a", version: 1, files_version },
  });
  expect(await textOf("c/d")).toBe("A");
  const { fields } = await bench.call(fileList, { app });
  expect(fields.usage.count).toBe(tool === fileCopy ? 3 : 2);
  if (tool === fileMove) expect(await bench.refusal(fileRead, { app, path: "a" })).toContain("NOT_FOUND");
  const history = await bench.call(fileHistory, { app, path: "c/d" });
  expect(history.entries).toHaveLength(1);
});

test("moves into another app, and shows both in the list of apps", async () => {
  const { bench, textOf } = await arrange();
  const receipt = await bench.call(fileMove, { app, path: "a", new_path: "a", new_app: "other" });
  expect(receipt).toMatchObject({ app: "other", files_version: 1, from: { app, files_version: 3 } });
  expect(await textOf("a", "other")).toBe("A");
  const { entries, fields } = await bench.call(appList, {});
  expect(fields).toMatchObject({ total: 2, limits: { app_files: 100_000 } });
  expect(entries.map(({ entry }: { entry: object }) => entry)).toEqual([
    {
      ...{ app, files_version: 3, updated_at: "2031-02-03T04:05:06.000Z" },
      usage: { bytes: 1, count: 1, history_bytes: 1 },
    },
    {
      ...{ app: "other", files_version: 1, updated_at: "2031-02-03T04:05:06.000Z" },
      usage: { bytes: 1, count: 1, history_bytes: 0 },
    },
  ]);
});

test("changes upper and lower case alone", async () => {
  const { bench } = await arrange();
  await bench.call(fileMove, { app, path: "a", new_path: "A" });
  const { entries } = await bench.call(fileList, { app });
  expect(entries.map(({ entry }: { entry: { path: string } }) => entry.path)).toEqual(["A", "b"]);
});

describe.each([
  ["a copy", fileCopy],
  ["a move", fileMove],
] as const)("%s", (_, tool) => {
  test.each([
    [
      "onto a file",
      { new_path: "b" },
      /FILE_EXISTS: new_path: "b" exists, it has version 1 .*\nNext: .*overwrite true/,
    ],
    ["onto itself", { new_path: "a" }, /INVALID_ARGUMENT: new_path: /],
    ["of nothing", { path: "x", new_path: "y" }, /NOT_FOUND: /],
    ["to no path", { new_path: "../y" }, /INVALID_PATH: new_path: /],
    ["to no app", { new_path: "y", new_app: "Y" }, /INVALID_APP: new_app: "Y"/],
    ["to an app that is not served", { new_path: "y", new_app: "secret" }, /APP_NOT_ALLOWED: new_app: /],
    ["of a stale version", { new_path: "y", expected_version: 2 }, /VERSION_CONFLICT: .*"a"/],
    ["beside a path like it", { new_path: "B" }, /PATH_COLLISION: /],
  ])("%s is refused, and changes nothing", async (_what, args, expected) => {
    const { bench, textOf } = await arrange({ allowed: ["notes"] });
    expect(await bench.refusal(tool, { app, path: "a", ...args })).toMatch(expected);
    expect([await textOf("a"), await textOf("b")]).toEqual(["A", "B"]);
  });

  test("replaces with overwrite, as a next version", async () => {
    const { bench, textOf } = await arrange();
    const receipt = await bench.call(tool, { app, path: "a", new_path: "b", overwrite: true });
    expect(receipt).toMatchObject({ path: "b", version: 2 });
    expect(await textOf("b")).toBe("A");
    expect((await bench.call(fileRead, { app, path: "b", version: 1 })).text).toBe("B");
  });

  test("is done once for a command_id", async () => {
    const { bench, textOf } = await arrange();
    const args = { app, path: "a", new_path: "c", command_id: "t1" };
    const first = await bench.call(tool, args);
    await bench.call(fileWrite, { app, path: "c", text: "later" });
    expect(await bench.call(tool, args)).toEqual(first);
    expect(await textOf("c")).toBe("later");
    const other = tool === fileCopy ? fileMove : fileCopy;
    expect(await bench.refusal(other, args)).toContain("COMMAND_ID_REUSED");
    expect(await bench.refusal(tool, { ...args, overwrite: true })).toContain("COMMAND_ID_REUSED");
  });
});
