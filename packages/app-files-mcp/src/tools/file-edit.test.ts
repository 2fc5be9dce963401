import { describe, expect, test } from "vitest";
import { createToolBench } from "../testing/tool-bench.ts";
import { fileEdit } from "./file-edit.ts";
import { fileHistory } from "./file-history.ts";
import { fileRead } from "./file-read.ts";
import { fileWrite } from "./file-write.ts";

const app = "notes";
const edit = (old_text: string, new_text: string, more = {}) => ({ old_text, new_text, ...more });

async function arrange(text = "one\ntwo\nthree\n", path = "f.csv") {
  const bench = createToolBench();
  await bench.call(fileWrite, { app, path, text, mime: "text/x-own" });
  const textOf = async () => (await bench.call(fileRead, { app, path })).text;
  return { bench, textOf, path };
}

test("stores a new version with the edits, and shows the difference", async () => {
  const { bench, textOf, path } = await arrange();
  expect(await bench.call(fileEdit, { app, path, edits: [edit("two", "2\n$&")] })).toEqual({
    ...{ app, path, replacements: 1, changed: true, version: 2, size: 15, files_version: 2 },
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    diff: "--- f.csv\n+++ f.csv\n@@ -1,3 +1,4 @@\n one\n-two\n+2\n+$&\n three\n",
  });
  expect(await textOf()).toBe("one\n2\n$&\nthree\n");
  expect(await bench.call(fileRead, { app, path })).toMatchObject({ mime: "text/x-own", version: 2 });
});

test("with dry_run shows the same and stores nothing", async () => {
  const { bench, textOf, path } = await arrange();
  const dry = await bench.call(fileEdit, { app, path, edits: [edit("two", "2")], dry_run: true });
  expect(dry).toMatchObject({
    changed: false,
    version: 1,
    replacements: 1,
    diff: expect.stringContaining("+2"),
  });
  expect(dry).not.toHaveProperty("files_version");
  expect(await textOf()).toBe("one\ntwo\nthree\n");
});

test("stores nothing when nothing changes, and says so", async () => {
  const { bench, path } = await arrange();
  const same = await bench.call(fileEdit, { app, path, edits: [edit("two", "two")] });
  expect(same).toMatchObject({
    changed: false,
    version: 1,
    diff: "",
    note: expect.stringContaining("the same"),
  });
});

test("shortens a long diff, and says so", async () => {
  const { bench, path } = await arrange("a\n".repeat(9_000));
  const { diff, note } = await bench.call(fileEdit, {
    app,
    path,
    edits: [edit("a", "b", { replace_all: true })],
  });
  expect(diff.length).toBeLessThan(21_000);
  expect(note).toContain("not show all");
});

test("by many at once loses no edit", async () => {
  const lines = Array.from({ length: 20 }, (_, n) => `line ${n};`);
  const { bench, textOf, path } = await arrange(lines.join("\n"));
  await Promise.all(
    lines.map((line) => bench.call(fileEdit, { app, path, edits: [edit(line, `${line} done`)] })),
  );
  expect(await textOf()).toBe(lines.map((line) => `${line} done`).join("\n"));
});

test("with command_id is done once, and gives the first answer again", async () => {
  const { bench, textOf, path } = await arrange();
  const args = { app, path, edits: [edit("two", "two two")], command_id: "e1" };
  const first = await bench.call(fileEdit, args);
  await bench.call(fileWrite, { app, path, text: "later" });
  expect(await bench.call(fileEdit, args)).toEqual(first);
  expect(await textOf()).toBe("later");
  expect(await bench.refusal(fileEdit, { ...args, edits: [edit("later", "x")] })).toContain(
    "COMMAND_ID_REUSED",
  );
});

describe("refuses, and changes nothing:", () => {
  test.each([
    [
      "a text that is not there",
      { edits: [edit("TWO", "2")] },
      /EDIT_NOT_FOUND: edits\[0\].*line 2 .*case.*\nNext: .*start_line 2/,
    ],
    ["one of several", { edits: [edit("one", "1"), edit("four", "4")] }, /EDIT_NOT_FOUND: edits\[1\]/],
    ["a text that is there often", { edits: [edit("e", "E")] }, /EDIT_AMBIGUOUS: .* 3 times .*lines 1, 3, 3/],
    ["overlaps", { edits: [edit("one\ntwo", "x"), edit("two", "y")] }, /EDITS_OVERLAP: edits\[1\]/],
    ["a stale version", { edits: [edit("two", "2")], expected_version: 3 }, /VERSION_CONFLICT: .*version 1/],
    ["a missing file", { path: "g", edits: [edit("two", "2")] }, /NOT_FOUND: /],
    ["an empty command_id", { edits: [edit("two", "2")], command_id: "" }, /command_id: is empty/],
  ])("%s", async (_, args, expected) => {
    const { bench, textOf, path } = await arrange();
    expect(await bench.refusal(fileEdit, { app, path, ...args })).toMatch(expected);
    expect(await textOf()).toBe("one\ntwo\nthree\n");
    const history = await bench.call(fileHistory, { app, path });
    expect(history.entries).toHaveLength(1);
  });

  test("a file that is no text", async () => {
    const bench = createToolBench();
    await bench.call(fileWrite, { app, path: "b", data_base64: "AAEC" });
    const text = await bench.refusal(fileEdit, { app, path: "b", edits: [edit("a", "b")] });
    expect(text).toMatch(/^NOT_TEXT: path: "b" is not UTF-8 text/);
  });
});
