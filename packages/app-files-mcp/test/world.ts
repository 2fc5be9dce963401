import { appendFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSqliteStore, databaseName } from "../src/adapters/sqlite/sqlite-store.ts";
import { describeContent } from "../src/domain/content.ts";
import { defaultLimits, defaultRetention } from "../src/domain/limits.ts";
import type { FileStore } from "../src/domain/store.ts";

/** A data directory with some files in it, as servers find one. */
export interface StoreWorld {
  readonly args: readonly string[];
  readonly data: string;
  /** A folder of the test's own, outside the data directory. */
  readonly folder: string;
  /** Uploads of the app `scratch`: one that is whole, one too large for the server, one with room for 5 MiB. */
  readonly uploads: { readonly whole: string; readonly large: string; readonly roomy: string };
  dispose(): Promise<void>;
}

/** Paths of the app `notes`, in order. */
export const notesPaths: readonly string[] = [
  ".env",
  "Zebra.txt",
  "a b/résumé (1).pdf",
  "a b/x,y+z.csv",
  "data/broken.bin",
  "data/large.txt",
  "data/picture.png",
  "many.txt",
  "data.txt",
  "日本語.txt",
].toSorted();

/** One red pixel. */
export const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==",
  "base64",
);

const mebibyte = 1024 * 1024;

const dayMs = 24 * 60 * 60 * 1000;

/** Makes a store, and a command line, with which every failure can be met. */
export async function arrangeStore(): Promise<StoreWorld> {
  const folder = await mkdtemp(join(tmpdir(), "app-files-world-"));
  const data = join(folder, "data");
  const clock = { now: Date.now() - 40 * dayMs };
  const store = openStore(data, clock);
  const put = putter(store);

  await put("old", "forgotten.txt", "x");
  await store.remove({ app: "old", path: "forgotten.txt", client: "test" });
  await put("old", "kept.txt", "x");
  clock.now = Date.now();
  await store.maintain();

  await writeFile(join(folder, "file"), "");
  await mkdir(join(folder, "root"));
  await writeFile(join(folder, "root", "in.txt"), "to be imported\n");
  await writeFile(join(folder, "root", "large"), Buffer.alloc(2 * mebibyte));
  for (const app of ["scr-a", "scr-b", "scr-c"]) await put(app, "f.txt", app);
  // More than the limit of a file below, and a content that will be lost.
  await put("old", "large.bin", Buffer.alloc(mebibyte + 1));
  const lost = await put("old", "lost.bin", Buffer.alloc(50_000, 2));
  for (const path of notesPaths) await put("notes", path, contentOf(path));
  for (let n = 0; n < 12; n++) await put("notes", "many.txt", `version ${n + 2}`);
  const uploads = {
    whole: await upload(store, 3, Buffer.from("abc")),
    large: await upload(store, 2 * mebibyte, Buffer.alloc(2 * mebibyte, 1)),
    roomy: await upload(store, 5 * mebibyte, Buffer.from("x")),
  };
  store.close();
  await rm(placeOf(data, lost.sha256));
  await damage(data, describeContent(contentOf("data/broken.bin")).sha256);
  const limits = [
    "--limits",
    "file_bytes=1MiB,store_bytes=6MiB",
    "--allow-app",
    "notes",
    "--allow-app",
    "old",
    "--allow-app",
    "scr*",
    "--root",
    join(folder, "root"),
  ];
  return {
    args: ["--data", data, ...limits],
    data,
    folder,
    uploads,
    dispose: () => rm(folder, { recursive: true }),
  };
}

async function upload(store: FileStore, size: number, bytes: Uint8Array): Promise<string> {
  const { id } = await store.uploads.begin("scratch", size);
  await store.uploads.put(id, { seq: 0, bytes, facts: describeContent(bytes) });
  return id;
}

function contentOf(path: string): Buffer {
  if (path === "data/broken.bin") return Buffer.alloc(100_000, 1);
  if (path === "data/large.txt") return Buffer.from(largeText);
  if (path === "data/picture.png") return picture;
  return Buffer.from(`This is ${path}.\nIt has two lines.\n`);
}

/** Text of some 600,000 bytes, over several blocks, with characters of every length. */
export const largeText = Array.from({ length: 20_000 }, (_, n) => `line ${n + 1}: é 界 😀 end\n`).join("");

export function openStore(data: string, clock: { readonly now: number } = { now: Date.now() }): FileStore {
  let names = 0;
  return createSqliteStore({
    folder: data,
    limits: defaultLimits,
    retention: defaultRetention,
    now: () => clock.now,
    nextName: () => `world-${process.pid}-${names++}`,
    onError: (error) => {
      throw error;
    },
  });
}

export function putter(store: FileStore) {
  return (app: string, path: string, content: string | Uint8Array) => {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    const detectedMime = path.endsWith(".png") ? "image/png" : "text/plain";
    return store.write({ app, path, bytes, facts: describeContent(bytes), detectedMime, client: "test" });
  };
}

function placeOf(data: string, sha256: string): string {
  return join(data, "blobs", sha256.slice(0, 2), sha256);
}

/** Changes one byte of a stored content, as a failing disk does. */
export async function damage(data: string, sha256: string, at = 50_000): Promise<void> {
  const place = placeOf(data, sha256);
  const bytes = await readFile(place);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(place, bytes);
}

/** Overwrites the database under a running server, so that it must notice. */
export async function wreckDatabase(data: string): Promise<void> {
  const store = openStore(data);
  await putter(store)("wrecked", "a", "x");
  store.close();
  const names = await readdir(data);
  for (const name of names.filter((each) => each.startsWith(databaseName) && !each.endsWith("-shm"))) {
    const { length } = await readFile(join(data, name));
    await writeFile(join(data, name), Buffer.alloc(length, 0x55));
    appendFileSync(join(data, name), "no pages");
  }
}
