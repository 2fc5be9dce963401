import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createToolBench, type ToolBench } from "../testing/tool-bench.ts";
import { fileExport, fileExportNew } from "./file-export.ts";
import { fileImport } from "./file-import.ts";
import { fileRead } from "./file-read.ts";

const app = "notes";
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const large = Buffer.alloc(3_000_001, "some text\n");

let folder: string;
let root: string;
let bench: ToolBench;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "app-files-disk-"));
  root = join(folder, "root");
  for (const name of ["root/own", "outside", "root_2"]) await mkdir(join(folder, name), { recursive: true });
  for (const name of ["root/a.txt", "root/own/store.db", "outside/secret", "root_2/secret"]) {
    await writeFile(join(folder, name), `content of ${name}`);
  }
  await symlink(join(folder, "outside"), join(root, "out"));
  await symlink(join(folder, "outside", "secret"), join(root, "secret"));
  await symlink(join(folder, "outside", "new"), join(root, "nowhere"));
  await symlink(join(root, "a.txt"), join(root, "inner"));
  bench = createToolBench({ roots: [root, join(folder, "none")], ownFiles: [join(root, "own")] });
});

afterEach(() => rm(folder, { recursive: true }));

/** Every path that must not be used, in either direction. */
const forbidden = () => [
  join(folder, "outside", "secret"),
  "../outside/secret",
  // Its name begins like the root's.
  join(folder, "root_2", "secret"),
  "../root_2/secret",
  "out/secret",
  "secret",
  "nowhere",
  "out/new",
  "own/store.db",
  "own/new",
  "./x/../../outside/secret",
  root,
  "out",
  "",
  "a\0b",
];

async function everythingOutside(): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => !/^root(\/|$)/.test(name) || name.startsWith("root/own")).sort();
}

describe("file_import", () => {
  test("stores what the file holds, large ones too, and leaves it as it is", async () => {
    await writeFile(join(root, "large.txt"), large);
    for (const local_path of [join(root, "large.txt"), "large.txt", "./x/../large.txt"]) {
      const answer = await bench.call(fileImport, { app, path: "l", local_path, overwrite: true });
      expect(answer).toMatchObject({
        size: large.length,
        sha256: sha256(large),
        mime: "application/octet-stream",
      });
    }
    expect(await bench.call(fileRead, { app, path: "l", start_line: 300_000 })).toMatchObject({
      total_lines: 300_001,
    });
    expect((await readFile(join(root, "large.txt"))).equals(large)).toBe(true);
    expect(await bench.call(fileImport, { app, path: "i", local_path: "inner" })).toMatchObject({
      mime: "application/octet-stream",
      size: 21,
    });
  });

  test("replaces only on demand, and is carried out once with a command_id", async () => {
    const order = { app, path: "f.txt", local_path: "a.txt", command_id: "c" };
    const first = await bench.call(fileImport, order);
    expect(first).toMatchObject({ version: 1, mime: "text/plain" });
    expect(await bench.refusal(fileImport, { ...order, command_id: undefined })).toMatch(
      /^FILE_EXISTS: path: "f.txt" exists, it has version 1 \(21 bytes/,
    );
    await writeFile(join(root, "a.txt"), "other");
    expect(await bench.call(fileImport, order)).toEqual({ ...first, local_path: "a.txt" });
    expect(await bench.refusal(fileImport, { ...order, overwrite: true })).toMatch(/^COMMAND_ID_REUSED/);
    expect(await bench.call(fileImport, { ...order, overwrite: true, command_id: undefined })).toMatchObject({
      version: 2,
      size: 5,
    });
  });

  test("refuses what lies elsewhere, and what is no file", async () => {
    for (const local_path of forbidden()) {
      const refusal = await bench.refusal(fileImport, { app, path: "f", local_path });
      expect(refusal, local_path).toMatch(/^LOCAL_PATH_REFUSED: local_path: /);
    }
    expect(await bench.refusal(fileImport, { app, path: "f", local_path: "../outside/secret" })).toBe(
      `LOCAL_PATH_REFUSED: local_path: "../outside/secret" lies outside the --root directories, perhaps by a link in it.\n` +
        `Next: Call again with local_path below "${root}" or "${join(folder, "none")}".`,
    );
    for (const local_path of ["none", "a.txt/x"]) {
      expect(await bench.refusal(fileImport, { app, path: "f", local_path })).toMatch(/^LOCAL_NOT_FOUND/);
    }
    if (process.platform !== "win32") {
      // Nobody writes to it: to open it as usual would never end.
      execFileSync("mkfifo", [join(root, "pipe")]);
      expect(await bench.refusal(fileImport, { app, path: "f", local_path: "pipe" })).toMatch(
        /is no plain file/,
      );
    }
    expect(await bench.deps.store.find(app, "f")).toBeUndefined();
  });

  test("stores nothing of a file that changes meanwhile", async () => {
    await writeFile(join(root, "growing"), large);
    const { localFiles } = bench.deps;
    const growing = {
      ...localFiles,
      open: async (path: string) => {
        const source = await localFiles.open(path);
        await appendFile(join(root, "growing"), "more");
        return source;
      },
    };
    Object.assign(bench.deps, { localFiles: growing });
    expect(await bench.refusal(fileImport, { app, path: "f", local_path: "growing" })).toMatch(
      /^LOCAL_UNAVAILABLE: .*changed while it was read.*\nNext: Try again/,
    );
    expect(await bench.deps.store.find(app, "f")).toBeUndefined();
  });

  test("keeps to the limits before it reads", async () => {
    const small = createToolBench({ roots: [root], limits: { file_bytes: 20 } });
    expect(await small.refusal(fileImport, { app, path: "f", local_path: "a.txt" })).toMatch(
      /^LIMIT_EXCEEDED.*21 bytes, file_bytes allows 20/,
    );
  });
});

describe("file_export", () => {
  beforeEach(async () => {
    await writeFile(join(root, "source"), large);
    await bench.call(fileImport, { app, path: "large", local_path: "source" });
  });

  test("writes what is stored, and makes folders", async () => {
    const answer = await bench.call(fileExport, { app, path: "large", local_path: "x/y/copy.bin" });
    expect(answer).toEqual({
      app,
      path: "large",
      version: 1,
      local_path: join(root, "x", "y", "copy.bin"),
      size: large.length,
      sha256: sha256(large),
    });
    expect((await readFile(join(root, "x", "y", "copy.bin"))).equals(large)).toBe(true);
    expect(await readdir(join(root, "x", "y"))).toEqual(["copy.bin"]);
  });

  test("replaces only on demand", async () => {
    const order = { app, path: "large", local_path: "a.txt" };
    expect(await bench.refusal(fileExport, order)).toMatch(/^LOCAL_EXISTS: local_path: "a.txt" exists/);
    expect(await readFile(join(root, "a.txt"), "utf8")).toBe("content of root/a.txt");
    await bench.call(fileExport, { ...order, overwrite: true });
    expect((await readFile(join(root, "a.txt"))).equals(large)).toBe(true);
  });

  test("never replaces where nothing may change", async () => {
    expect(fileExportNew.effect).toBe("create");
    expect(fileExportNew.input.safeParse({ app, path: "f", local_path: "x", overwrite: true }).success).toBe(
      false,
    );
    const order = { app, path: "large", local_path: "a.txt" };
    expect(await bench.refusal(fileExportNew, order)).toMatch(/^LOCAL_EXISTS/);
    await bench.call(fileExportNew, { ...order, local_path: "b.txt" });
    expect((await readFile(join(root, "b.txt"))).equals(large)).toBe(true);
  });

  test("writes nowhere else", async () => {
    const before = await everythingOutside();
    const inside = await readdir(root);
    for (const overwrite of [false, true]) {
      for (const local_path of [...forbidden(), "out/", "x/", "inner"]) {
        const refusal = await bench.refusal(fileExport, { app, path: "large", local_path, overwrite });
        expect(refusal, local_path).toMatch(/^LOCAL_PATH_REFUSED/);
      }
    }
    expect(await everythingOutside()).toEqual(before);
    expect(await readdir(root)).toEqual(inside);
    expect(await readFile(join(folder, "outside", "secret"), "utf8")).toBe("content of outside/secret");
    expect(await readFile(join(root, "own", "store.db"), "utf8")).toBe("content of root/own/store.db");
  });

  test("leaves nothing of a file that turns out to be damaged", async () => {
    const { store } = bench.deps;
    const open: typeof store.open = async (...args) => {
      const content = await store.open(...args);
      return {
        ...content,
        read: async (offset, length) => {
          const bytes = await content.read(offset, length);
          if (offset > 2_000_000) bytes[0] = 0;
          return bytes;
        },
      };
    };
    Object.assign(bench.deps, { store: { ...store, open } });
    const before = await readdir(root);
    expect(await bench.refusal(fileExport, { app, path: "large", local_path: "copy" })).toMatch(/^CORRUPT/);
    expect(await readdir(root)).toEqual(before);
  });
});
