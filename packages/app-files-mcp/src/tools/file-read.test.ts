import { createHash } from "node:crypto";
import { Answer, jsonBytes } from "@mcp-file-servers/core";
import { describe, expect, test } from "vitest";
import { createToolBench } from "../testing/tool-bench.ts";
import { fileRead } from "./file-read.ts";
import { fileWrite } from "./file-write.ts";

const app = "notes";
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==",
  "base64",
);

async function benchWith(files: Record<string, string | Buffer>) {
  const bench = createToolBench();
  for (const [path, content] of Object.entries(files)) {
    await bench.call(fileWrite, { app, path, data_base64: Buffer.from(content).toString("base64") });
  }
  return bench;
}

test("gives text with what it is", async () => {
  const bench = await benchWith({ "a.md": "# Tïtle\nline\n" });
  expect(await bench.call(fileRead, { app, path: "a.md" })).toEqual({
    app,
    path: "a.md",
    version: 1,
    mime: "text/markdown",
    size: 14,
    sha256: createHash("sha256").update("# Tïtle\nline\n").digest("hex"),
    text: "# Tïtle\nline\n",
    offset: 0,
    next_offset: null,
    total_lines: 2,
  });
});

test("keeps a byte order mark", async () => {
  const bench = await benchWith({ a: "\ufeffx" });
  expect((await bench.call(fileRead, { app, path: "a" })).text).toBe("\ufeffx");
});

test("walks a text by next_offset, within the budget, and never inside a character", async () => {
  const text = `${"x".repeat(1_023)}界\n${'"quoted"\t界😀\u0001 '.repeat(3_000)}`;
  const bench = await benchWith({ a: text });
  for (const budget of [4_000, 40_000]) {
    let joined = "";
    for (let offset: number | null = 0; offset !== null; ) {
      const page: { text: string; next_offset: number | null } = await bench.call(
        fileRead,
        { app, path: "a", offset },
        { budget },
      );
      expect(jsonBytes({ ...page, eot: "·eot" })).toBeLessThanOrEqual(budget);
      expect(page.text.length).toBeGreaterThan(0);
      joined += page.text;
      offset = page.next_offset;
    }
    expect(joined).toBe(text);
  }
});

test("walks other bytes by next_offset, within the budget", async () => {
  const bytes = Buffer.from(Uint8Array.from({ length: 70_001 }, (_, n) => (n * 7) % 256));
  const bench = await benchWith({ a: bytes });
  const parts: Buffer[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const page: { data_base64: string; next_offset: number | null } = await bench.call(fileRead, {
      app,
      path: "a",
      offset,
    });
    expect(jsonBytes({ ...page, eot: "·eot" })).toBeLessThanOrEqual(40_000);
    expect(page.data_base64.length).toBeGreaterThan(1_000);
    parts.push(Buffer.from(page.data_base64, "base64"));
    offset = page.next_offset;
  }
  expect(Buffer.concat(parts).equals(bytes)).toBe(true);
  expect(parts.length).toBeLessThanOrEqual(3);
});

test("gives text as bytes when asked, and bytes as text never", async () => {
  const bench = await benchWith({ text: "é", latin: Buffer.from([0x61, 0xe9]), nul: "a\0b" });
  const read = (args: object) => bench.call(fileRead, { app, ...args });
  expect(await read({ path: "text", as: "base64" })).toMatchObject({
    data_base64: "w6k=",
    next_offset: null,
  });
  expect(await read({ path: "text", as: "base64", offset: 1, length: 1 })).toMatchObject({
    data_base64: "qQ==",
  });
  expect(await read({ path: "latin" })).toMatchObject({ data_base64: "Yek=" });
  for (const path of ["latin", "nul"]) {
    expect(await bench.refusal(fileRead, { app, path, as: "text" })).toContain("NOT_TEXT");
    expect(await bench.refusal(fileRead, { app, path, start_line: 1 })).toContain("NOT_TEXT");
  }
});

describe("images", () => {
  test("are shown beside the data", async () => {
    const bench = await benchWith({ "a.png": png });
    const answer = await bench.answer(fileRead, { app, path: "a.png" });
    expect(answer).toBeInstanceOf(Answer);
    const { data, extras } = answer as Answer<Record<string, unknown>>;
    expect(extras.images).toEqual([{ mimeType: "image/png", data: expect.any(Uint8Array) }]);
    expect(Buffer.from(extras.images?.[0]?.data ?? []).equals(png)).toBe(true);
    expect(data).toMatchObject({ next_offset: null, note: expect.stringContaining("base64") });
    expect(data).not.toHaveProperty("data_base64");
  });

  test("are bytes when a window or base64 is asked for, and when they are too large or none", async () => {
    const bench = await benchWith({
      "a.png": png,
      "large.png": Buffer.concat([png, Buffer.alloc(1024 * 1024)]),
    });
    await bench.call(fileWrite, { app, path: "fake.png", data_base64: "AAECAw==", mime: "image/png" });
    const read = (args: object) => bench.call(fileRead, { app, ...args });
    expect(await read({ path: "a.png", as: "base64" })).toMatchObject({
      data_base64: png.toString("base64"),
    });
    expect(await read({ path: "a.png", length: 3 })).toMatchObject({ data_base64: "iVBO", next_offset: 3 });
    expect(await read({ path: "large.png" })).toHaveProperty("data_base64");
    expect(await read({ path: "fake.png" })).toMatchObject({ data_base64: "AAECAw==" });
  });
});

describe("lines", () => {
  const files = { log: Array.from({ length: 5_000 }, (_, n) => `line ${n + 1}\n`).join("") };

  test("are given by number, with where to go on", async () => {
    const bench = await benchWith(files);
    const page = await bench.call(fileRead, { app, path: "log", start_line: 4_999, end_line: 9_999 });
    expect(page).toMatchObject({ text: "line 4999\nline 5000\n", next_offset: null, total_lines: 5_000 });
    expect(page).not.toHaveProperty("note");
    expect((await bench.call(fileRead, { app, path: "log", end_line: 1 })).next_offset).toBe(7);
  });

  test("that do not all fit say how to go on", async () => {
    const bench = await benchWith(files);
    const page = await bench.call(fileRead, { app, path: "log", start_line: 1 }, { budget: 4_000 });
    expect(page.note).toContain(`offset ${page.next_offset}`);
    const next = await bench.call(fileRead, { app, path: "log", offset: page.next_offset, length: 20 });
    expect(files.log.startsWith(page.text + next.text)).toBe(true);
  });

  test.each([
    [{ start_line: 2, offset: 0 }, /start_line: cannot be used together with offset/],
    [{ end_line: 2, length: 5 }, /end_line: cannot be used together with offset/],
    [{ start_line: 3, end_line: 2 }, /end_line: must not be before start_line 3/],
    [{ start_line: 5_001 }, /start_line: 5001 is beyond the end; the file has 5000 lines/],
    [{ start_line: 1, as: "base64" }, /start_line: cannot be used together with as base64/],
    [{ offset: 1_000_000 }, /offset: 1000000 is beyond the end/],
  ])("and windows that make no sense are refused: %j", async (args, expected) => {
    const bench = await benchWith(files);
    expect(await bench.refusal(fileRead, { app, path: "log", ...args })).toMatch(expected);
  });
});

describe("versions", () => {
  test("are read while they are kept", async () => {
    const bench = createToolBench();
    for (let n = 1; n <= 12; n++) await bench.call(fileWrite, { app, path: "f", text: `version ${n}` });
    expect((await bench.call(fileRead, { app, path: "f", version: 3 })).text).toBe("version 3");
    expect(await bench.refusal(fileRead, { app, path: "f", version: 2 })).toMatch(
      /^VERSION_GONE: .*oldest kept is 3.*\nNext: .*version 3 or later/,
    );
    expect(await bench.refusal(fileRead, { app, path: "f", version: 13 })).toMatch(
      /^NOT_FOUND: .*no version 13 yet; its last is 12/,
    );
  });

  test("of a deleted file too, which is else not found", async () => {
    const bench = await benchWith({ f: "content" });
    await bench.deps.store.remove({ app, path: "f", client: "t" });
    expect(await bench.refusal(fileRead, { app, path: "f" })).toMatch(
      /^NOT_FOUND: .*deleted at version 1.*\nNext: Call file_read with version 1/,
    );
    expect((await bench.call(fileRead, { app, path: "f", version: 1 })).text).toBe("content");
  });
});

test("tells that a path is a folder, and how to look into it", async () => {
  const bench = await benchWith({ "reports/2031/july.pdf": "x" });
  for (const path of ["reports", "reports/2031"]) {
    expect(await bench.refusal(fileRead, { app, path })).toBe(
      `NOT_FOUND: path: "${path}" is a folder in app "${app}", no file; in it is "reports/2031/july.pdf".\n` +
        `Next: Call file_list with prefix "${path}/" to see its files; deleting and restoring take a prefix too.`,
    );
  }
});

test("names the nearest of what is not there", async () => {
  const bench = await benchWith({ "reports/july.pdf": "x" });
  expect(await bench.refusal(fileRead, { app, path: "reports/jly.pdf" })).toContain(
    'the nearest are "reports/july.pdf"',
  );
});
