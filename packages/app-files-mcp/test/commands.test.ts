import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ZipFile } from "yazl";
import { describeContent } from "../src/domain/content.ts";
import { readAll } from "../src/domain/read-window.ts";
import type { FileStore } from "../src/domain/store.ts";
import { damage, openStore, putter } from "./world.ts";

const bin = fileURLToPath(new URL("../dist/main.js", import.meta.url));

let folder: string;
let data: string;
let zip: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "app-files-commands-"));
  data = join(folder, "data");
  zip = join(folder, "notes.zip");
});

afterEach(() => rm(folder, { recursive: true }));

async function run(...args: string[]) {
  const child = spawn(process.execPath, [bin, ...args, "--data", data], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, "close");
  return { code, stdout, stderr };
}

async function withStore<Result>(work: (store: FileStore) => Promise<Result>): Promise<Result> {
  const store = openStore(data);
  return work(store).finally(() => store.close());
}

/** All files of an app: path, type and content. */
function filesOf(app: string): Promise<[string, string, string][]> {
  return withStore(async (store) => {
    const { files } = await store.listAll({ allows: (name) => name === app, limit: 1000 });
    return Promise.all(
      files.map(async ({ file: { path, mime } }): Promise<[string, string, string]> => {
        const bytes = await readAll(await store.open(app, path));
        return [path, mime, Buffer.from(bytes).toString("base64")];
      }),
    );
  });
}

interface Entry {
  readonly name: string;
  readonly content: string | Buffer;
  readonly mode?: number;
}

/** Writes a zip whose entries get other names afterwards: names that no good tool would write. */
async function makeZip(entries: readonly Entry[], renamed: readonly [string, string][] = []): Promise<void> {
  const file = new ZipFile();
  for (const { name, content, mode = 0o100644 } of entries) {
    file.addBuffer(Buffer.from(content), name, { mode, compress: false });
  }
  file.end();
  await pipeline(file.outputStream as NodeJS.ReadableStream, createWriteStream(zip));
  let bytes = (await readFile(zip)).toString("latin1");
  for (const [from, to] of renamed) bytes = bytes.replaceAll(from, to);
  await writeFile(zip, Buffer.from(bytes, "latin1"));
}

const names = [
  "résumé (1).pdf",
  "日本語.txt",
  ".env",
  "a..b.txt",
  "a/b/c d+e,f.csv",
  "c:notes.txt",
  "zero",
  "😀",
];

describe("export and import", () => {
  test("bring an app back byte for byte, with its types", async () => {
    await withStore(async (store) => {
      const put = putter(store);
      for (const [n, name] of names.entries())
        await put("notes", name, name === "zero" ? "" : `${n} ${name}`);
      const large = Buffer.alloc(5_000_003);
      for (let at = 0; at + 8 <= large.length; at += 8) large.writeDoubleLE(at * 1.7, at);
      await put("notes", "large.bin", large);
      const facts = describeContent(large);
      const mime = "image/x-of-its-own";
      await store.write({
        ...{ app: "notes", path: "typed", bytes: large, facts, mime, detectedMime: mime, client: "t" },
      });
    });
    expect(await run("export", "notes", zip)).toMatchObject({
      code: 0,
      stdout: `${names.length + 2} files of notes are in ${zip}\n`,
    });
    expect(await readdir(folder)).toEqual(["data", "notes.zip"]);
    const { stdout } = await run("import", "copy", zip);
    expect(stdout).toBe(`${names.length + 2} files are stored in copy\n`);
    expect(await filesOf("copy")).toEqual(await filesOf("notes"));
    expect(await run("check")).toMatchObject({ code: 0 });
    // Once more: nothing is written again.
    expect((await run("import", "copy", zip)).stdout).toBe(
      `0 files are stored in copy, ${names.length + 2} were there already\n`,
    );
  });

  test("replace nothing unless told so", async () => {
    await withStore((store) => putter(store)("notes", "f", "one"));
    await writeFile(zip, "in the way");
    expect(await run("export", "notes", zip)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/LOCAL|exists on the disk/),
    });
    expect(await readFile(zip, "utf8")).toBe("in the way");
    expect(await run("export", "notes", zip, "--overwrite")).toMatchObject({ code: 0 });
    await withStore((store) => putter(store)("notes", "f", "two"));
    const { code, stderr } = await run("import", "notes", zip);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'app-files-mcp: nothing was imported\n"f" exists with other content; --overwrite replaces it\n',
    });
    expect(await run("import", "notes", zip, "--overwrite")).toMatchObject({ code: 0 });
    expect((await filesOf("notes"))[0]?.[2]).toBe(Buffer.from("one").toString("base64"));
  });

  test("a damaged file is left out, named, and told by the exit code", async () => {
    const bytes = Buffer.alloc(100_000, 1);
    await withStore(async (store) => {
      await putter(store)("notes", "bad", bytes);
      await putter(store)("notes", "good", "x");
    });
    await damage(data, describeContent(bytes).sha256);
    expect(await run("export", "notes", zip)).toMatchObject({
      code: 1,
      stdout: `DAMAGED and left out: "bad"\n1 files of notes are in ${zip}\n`,
    });
    expect(await run("check")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('DAMAGED notes: "bad", version 1, which is the current one\n'),
    });
    await run("import", "copy", zip);
    expect((await filesOf("copy")).map(([path]) => path)).toEqual(["good"]);
  });
});

describe("a zip is refused as a whole", () => {
  const good = { name: "good.txt", content: "x" };
  const xs = (n: number) => "x".repeat(n);
  const cases: [string, Entry[], [string, string][], RegExp][] = [
    [
      "with a way out",
      [good, { name: "xx/xx/evil", content: "e" }],
      [["xx/xx/evil", "../../evil"]],
      /relative path/,
    ],
    [
      "with an absolute path",
      [good, { name: "xetc/evil", content: "e" }],
      [["xetc/evil", "/etc/evil"]],
      /absolute/,
    ],
    ["with a drive", [good, { name: "CX/evil", content: "e" }], [["CX/evil", "C:/evil"]], /absolute/],
    ["with a link", [good, { name: "link", content: "/etc/passwd", mode: 0o120777 }], [], /"link" is a link/],
    [
      "with a control character",
      [good, { name: "a#b", content: "" }],
      [["a#b", "a\nb"]],
      /control character/,
    ],
    [
      "with a name twice",
      [good, { name: "goodXtxt", content: "y" }],
      [["goodXtxt", "good.txt"]],
      /there twice/,
    ],
    [
      "with names in two cases",
      [good, { name: "GOOD.txt", content: "y" }],
      [],
      /"GOOD.txt" is there twice, or as "good/,
    ],
    [
      "with a file as a folder",
      [good, { name: "good.txt/x", content: "y" }],
      [],
      /lies in "good.txt", which is a file/,
    ],
    [
      "with a trailing dot",
      [good, { name: "a.", content: "y" }],
      [],
      /"a." has a segment that ends with a dot/,
    ],
    ["with a name that is too long", [good, { name: xs(300), content: "y" }], [], /segment longer than 255/],
  ];

  test.each(cases)("%s", async (_what, entries, renamed, said) => {
    await makeZip(entries, renamed);
    const { code, stderr } = await run("import", "notes", zip);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(said) });
    expect(await filesOf("notes")).toEqual([]);
    expect(await readdir(folder)).toEqual(["data", "notes.zip"]);
  });

  test("that is too large, or says that it is small", async () => {
    await makeZip([good, { name: "large", content: Buffer.alloc(3_000_000) }]);
    const { code, stderr } = await run("import", "notes", zip, "--limits", "file_bytes=1MiB");
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'app-files-mcp: nothing was imported\n"large" has 3000000 bytes, file_bytes allows 1048576\n',
    });
    expect(await run("import", "notes", zip, "--limits", "app_bytes=2MiB")).toMatchObject({ code: 1 });
    expect(await filesOf("notes")).toEqual([]);
  });

  test("that is none, or damaged", async () => {
    await writeFile(zip, "no zip at all");
    expect(await run("import", "notes", zip)).toMatchObject({ code: 1, stdout: "" });
    expect(await run("import", "notes", join(folder, "none.zip"))).toMatchObject({ code: 1, stdout: "" });
    const content = "some content that is stored as it is";
    await makeZip([{ name: "f", content }], [[content, content.replace("some", "same")]]);
    const { code, stderr } = await run("import", "notes", zip);
    expect(code).toBe(1);
    expect(stderr).toContain('the zip cannot be used: "f" is damaged');
    expect(await filesOf("notes")).toEqual([]);
  });
});

test("commands say how they are used, and need an app that may be", async () => {
  expect(await run("export", "notes")).toMatchObject({
    code: 2,
    stderr: "app-files-mcp: usage: app-files-mcp export [options] APP FILE.zip\n",
  });
  expect(await run("export", "Notes", zip)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^app-files-mcp: app: "Notes" must/),
  });
  expect(await run("export", "notes", zip)).toMatchObject({
    code: 1,
    stderr: "app-files-mcp: the app notes has no files\n",
  });
  expect(await run("export", "notes", zip, "--allow-app", "x")).toMatchObject({ code: 1 });
  await withStore((store) => putter(store)("notes", "f", "x"));
  await makeZip([{ name: "f", content: "y" }]);
  expect(await run("import", "notes", zip, "--overwrite", "--read-only")).toMatchObject({ code: 1 });
  expect((await filesOf("notes"))[0]?.[2]).toBe(Buffer.from("x").toString("base64"));
  expect(await run("check", "--read-only")).toMatchObject({ code: 0 });
});
