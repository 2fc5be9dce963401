import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLocalFolders } from "../src/adapters/local-folders.ts";
import { createMimeDetector } from "../src/adapters/mime-detector.ts";
import { commitUpload } from "../src/domain/commit-upload.ts";
import { describeContent } from "../src/domain/content.ts";
import { exportFile } from "../src/domain/export-file.ts";
import { writeStagedFile } from "../src/domain/write-staged-file.ts";
import { openStore, putter } from "./world.ts";

let folder: string;
let disk: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "app-files-full-"));
  disk = join(folder, "disk");
  await mkdir(disk);
});

afterEach(() => rm(folder, { recursive: true }));

/** Runs work on a disk of 3 MB, or says loudly that it cannot. */
async function onSmallDisk(skip: (note: string) => void, work: () => Promise<void>): Promise<void> {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=3m", "tmpfs", disk], { stdio: "pipe" });
  } catch {
    skip("a small disk cannot be mounted here: a full disk is NOT tested");
    return;
  }
  try {
    await chmod(disk, 0o700);
    await work();
  } finally {
    execFileSync("umount", ["-l", disk]);
  }
}

async function leftovers(): Promise<string[]> {
  return readdir(join(disk, "tmp"));
}

async function* pieces(count: number): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < count; n++) yield Buffer.alloc(100_000, n);
}

const full = { code: "STORE_UNAVAILABLE", details: { problem: "full" } };

test("a large content on a full disk is refused whole, and goes in when there is room", async ({ skip }) => {
  await onSmallDisk(skip, async () => {
    const store = openStore(disk);
    const deps = { store, detector: createMimeDetector() };
    const file = { app: "notes", path: "f", client: "t" };
    await expect(writeStagedFile(file, pieces(60), deps)).rejects.toMatchObject(full);
    expect(await leftovers()).toEqual([]);
    await writeStagedFile(file, pieces(5), deps);
    expect(await store.check()).toMatchObject({ contents: 1, damaged: [], repaired: [] });
    store.close();
  });
});

test("an upload that fills the disk keeps what was acknowledged", async ({ skip }) => {
  await onSmallDisk(skip, async () => {
    const store = openStore(disk);
    const { id } = await store.uploads.begin("notes", 10_000_000);
    const chunk = (seq: number) => Buffer.alloc(300_000, seq + 1);
    const send = (seq: number) =>
      store.uploads.put(id, { seq, bytes: chunk(seq), facts: describeContent(chunk(seq)) });
    let stored = 0;
    const refusal = await (async () => {
      for (;;) {
        await send(stored);
        stored += 1;
      }
    })().catch((error: unknown) => error);
    expect(refusal).toMatchObject(full);
    expect(stored).toBeGreaterThan(2);
    expect((await store.uploads.parts(id)).map(({ seq }) => seq)).toEqual(
      Array.from({ length: stored }, (_, n) => n),
    );
    expect(await leftovers()).toEqual([]);
    // There is no room for the file beside its chunks: refused, the upload stays.
    const order = { uploadId: id, path: "f", size: stored * 300_000, client: "t" };
    const deps = { store, detector: createMimeDetector(), allows: () => true };
    await expect(commitUpload(order, deps)).rejects.toMatchObject(full);
    expect(await leftovers()).toEqual([]);
    expect(await store.uploads.find(id)).toMatchObject({ bytes: stored * 300_000 });
    expect(await store.check()).toMatchObject({ damaged: [], damagedChunks: [], repaired: [] });
    await store.uploads.discard(id);
    expect(await store.check()).toMatchObject({ contents: 0, repaired: [] });
    store.close();
  });
});

test("an export that fills the disk leaves nothing there", async ({ skip }) => {
  const store = openStore(join(folder, "data"));
  await putter(store)("notes", "f", Buffer.alloc(5_000_000));
  await onSmallDisk(skip, async () => {
    const localFiles = createLocalFolders({ roots: [disk], ownFiles: [], nextName: () => "part" });
    const order = { app: "notes", path: "f", localPath: "out", overwrite: false };
    await expect(exportFile(order, { store, localFiles })).rejects.toMatchObject({
      code: "LOCAL_UNAVAILABLE",
      details: { reason: "ENOSPC" },
    });
    expect(await readdir(disk)).toEqual([]);
  });
  store.close();
});
