import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createToolBench } from "../testing/tool-bench.ts";
import { fileRead } from "./file-read.ts";
import { fileWrite } from "./file-write.ts";

const app = "notes";
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

test("says all that there is to know of the file", async () => {
  const bench = createToolBench();
  expect(await bench.call(fileWrite, { app, path: "re\u0301sume\u0301.txt", text: "hé" })).toEqual({
    app,
    path: "résumé.txt",
    size: 3,
    mime: "text/plain",
    sha256: sha256("hé"),
    version: 1,
    created_at: "2031-02-03T04:05:06.000Z",
    updated_at: "2031-02-03T04:05:06.000Z",
    files_version: 1,
  });
});

test("stores empty content, as text and as base64", async () => {
  const bench = createToolBench();
  await bench.call(fileWrite, { app, path: "a", text: "" });
  await bench.call(fileWrite, { app, path: "b", data_base64: "" });
  for (const path of ["a", "b"]) {
    expect(await bench.call(fileRead, { app, path })).toMatchObject({
      text: "",
      size: 0,
      next_offset: null,
      total_lines: 0,
    });
  }
});

test("detects types and keeps them", async () => {
  const bench = createToolBench();
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
  const mimeOf = async (args: object) => (await bench.call(fileWrite, { app, ...args })).mime;
  expect(await mimeOf({ path: "photo", data_base64: png })).toBe("image/png");
  expect(await mimeOf({ path: "table.csv", text: "a,b" })).toBe("text/csv");
  expect(await mimeOf({ path: "BMW.txt", text: "BMW makes cars" })).toBe("text/plain");
  expect(
    await mimeOf({
      path: "picture.svg",
      text: '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
    }),
  ).toBe("image/svg+xml");
  expect(await mimeOf({ path: "unknown", text: "?" })).toBe("application/octet-stream");
  expect(await mimeOf({ path: "unknown", text: "x", mime: "Text/Markdown" })).toBe("text/markdown");
  expect(await mimeOf({ path: "unknown", text: "y" })).toBe("text/markdown");
});

describe("append", () => {
  test("creates, adds, and counts versions", async () => {
    const bench = createToolBench();
    for (const text of ["one\n", "two\n", "three"])
      await bench.call(fileWrite, { app, path: "log", text, append: true });
    const read = await bench.call(fileRead, { app, path: "log" });
    expect(read).toMatchObject({ text: "one\ntwo\nthree", version: 3, sha256: sha256("one\ntwo\nthree") });
  });

  test("by many at once loses nothing of anybody's", async () => {
    const bench = createToolBench();
    const lines = Array.from({ length: 30 }, (_, n) => `line ${n}\n`);
    await Promise.all(lines.map((text) => bench.call(fileWrite, { app, path: "log", text, append: true })));
    const { text, version } = await bench.call(fileRead, { app, path: "log" });
    expect(version).toBe(30);
    expect(text.match(/[^\n]*\n/g).sort()).toEqual(lines.sort());
  });

  test("with expected_version adds to that version alone", async () => {
    const bench = createToolBench();
    await bench.call(fileWrite, { app, path: "log", text: "1" });
    expect(
      await bench.refusal(fileWrite, { app, path: "log", text: "2", append: true, expected_version: 2 }),
    ).toContain("VERSION_CONFLICT");
    expect(
      await bench.refusal(fileWrite, { app, path: "new", text: "2", append: true, expected_version: 1 }),
    ).toContain("it does not exist");
    await bench.call(fileWrite, { app, path: "log", text: "2", append: true, expected_version: 1 });
    expect((await bench.call(fileRead, { app, path: "log" })).text).toBe("12");
  });

  test("ends at 16 MiB in all", async () => {
    const bench = createToolBench();
    const text = "x".repeat(5 * 1024 * 1024);
    for (let n = 0; n < 3; n++) await bench.call(fileWrite, { app, path: "log", text, append: true });
    expect(await bench.refusal(fileWrite, { app, path: "log", text, append: true })).toContain(
      "16777216 bytes at most",
    );
    expect((await bench.deps.store.find(app, "log"))?.version).toBe(3);
  });
});

describe("refuses", () => {
  const cases: [string, Record<string, unknown>, RegExp][] = [
    ["no content", { text: undefined }, /^INVALID_ARGUMENT: text: is missing/],
    ["two contents", { data_base64: "" }, /^INVALID_ARGUMENT: data_base64: cannot be used together/],
    ["half a character", { text: "a\ud800" }, /^INVALID_ARGUMENT: text: has half of a surrogate pair/],
    ["bad base64", { text: undefined, data_base64: "YW-_" }, /^INVALID_BASE64: data_base64: .*URL alphabet/],
    ["another hash", { expected_sha256: "0".repeat(64) }, /^SHA256_MISMATCH: expected_sha256: the 4 bytes/],
    ["a bad type", { mime: "text/plain\nforged" }, /^INVALID_ARGUMENT: mime: /],
    ["a bad path", { path: "a/../b" }, /^INVALID_PATH: path: "a\/..\/b" has a \.\. segment/],
    ["a bad id", { command_id: "a\u0000" }, /^INVALID_ARGUMENT: command_id: has a control character/],
    ["a bad app", { app: "My Notes!" }, /^INVALID_APP: app: "My Notes!" .*\nNext: .* such as my-notes\./],
    [
      "more than 5 MiB",
      { text: "x".repeat(5 * 1024 * 1024 + 1) },
      /^INVALID_ARGUMENT: the bytes of one call may be 5242880/,
    ],
  ];
  test.each(cases)("%s, and writes nothing", async (_, args, expected) => {
    const bench = createToolBench();
    expect(await bench.refusal(fileWrite, { app, path: "f", text: "text", ...args })).toMatch(expected);
    expect(await bench.deps.store.find(app, "f")).toBeUndefined();
  });

  test("a stale write, with the current version, size and sha256", async () => {
    const bench = createToolBench();
    await bench.call(fileWrite, { app, path: "f", text: "first" });
    await bench.call(fileWrite, { app, path: "f", text: "second" });
    const text = await bench.refusal(fileWrite, { app, path: "f", text: "third", expected_version: 1 });
    expect(text).toContain(`version 2 (6 bytes, sha256 ${sha256("second")})`);
    expect(text).toContain("expected_version 2");
    expect(await bench.refusal(fileWrite, { app, path: "f", text: "x", expected_version: 0 })).toContain(
      "expected not to exist",
    );
  });

  test("what exceeds a limit, naming it and the setting", async () => {
    const bench = createToolBench({ limits: { app_bytes: 100 } });
    await bench.call(fileWrite, { app, path: "x", text: "1".repeat(60) });
    const text = await bench.refusal(fileWrite, { app, path: "y", text: "2".repeat(60) });
    expect(text).toMatch(/would have 120 bytes, app_bytes allows 100.*\nNext: .*--limits/);
  });

  test("an app that is not served", async () => {
    const bench = createToolBench({ allowed: ["team-*"] });
    expect(await bench.refusal(fileWrite, { app, path: "x", text: "" })).toContain("--allow-app has team-*");
  });
});

describe("command_id", () => {
  test("gives the first receipt again, and writes once", async () => {
    const bench = createToolBench();
    const args = { app, path: "log", text: "+", append: true, command_id: "c1" };
    const first = await bench.call(fileWrite, args);
    bench.clock.now += 1000;
    await bench.call(fileWrite, { app, path: "log", text: "later" });
    expect(await bench.call(fileWrite, args)).toEqual(first);
    expect((await bench.call(fileRead, { app, path: "log" })).text).toBe("later");
  });

  test.each([
    { text: "other" },
    { path: "other" },
    { app: "other" },
    { append: true },
    { mime: "text/html" },
    { expected_version: 0 },
  ])("with anything else is refused: %j", async (other) => {
    const bench = createToolBench();
    const args = { app, path: "f", text: "x", command_id: "c1" };
    await bench.call(fileWrite, args);
    expect(await bench.refusal(fileWrite, { ...args, ...other })).toContain("COMMAND_ID_REUSED");
  });

  test("of a refused call can be used again", async () => {
    const bench = createToolBench();
    const args = { app, path: "f", text: "x", command_id: "c1" };
    await bench.refusal(fileWrite, { ...args, expected_version: 4 });
    expect((await bench.call(fileWrite, args)).version).toBe(1);
  });
});
