import { type FileHandle, open, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { noise } from "../../../test/transfer-bench.ts";
import { BlockWriter } from "./block-writer.ts";

let folder: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ folder, remove } = await temporaryFolder());
});
afterEach(() => remove());

const bytes = noise(2_300_001);
const sizes = [1, 0, 65_536, 524_288, 1_600_000];

/** Writes `bytes` in pieces of many sizes, each in a buffer that is wiped once it was taken. */
async function write(writer: BlockWriter): Promise<void> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const piece = Buffer.from(bytes.subarray(at, at + (sizes[turn % sizes.length] as number)));
    at += piece.length;
    await writer.write(piece);
    piece.fill(0);
  }
}

describe("a file that is written in blocks", () => {
  test("holds what was given, whatever the pieces, once it is finished", async () => {
    const file = path.join(folder, "f");
    const writer = new BlockWriter(await open(file, "wx+"), (error) => error);
    await write(writer);
    expect(await writer.finish()).toBe(true);
    expect((await readFile(file)).equals(bytes)).toBe(true);
    expect(writer.stored).toBe(bytes.length);
  });

  test("goes on behind what is there", async () => {
    const file = path.join(folder, "f");
    await writeFile(file, "before ");
    const writer = new BlockWriter(await open(file, "a+"), (error) => error, 7);
    await writer.write(Buffer.from("after"));
    expect(await writer.finish()).toBe(true);
    expect(await readFile(file, "utf8")).toBe("before after");
    expect(writer.stored).toBe(12);
  });

  test("tells that a disk gives back other bytes, wherever they are", async () => {
    for (const nth of [1, 3]) {
      const handle = await open(path.join(folder, `f${nth}`), "wx+");
      let block = 0;
      const damaging: FileHandle = Object.create(handle, {
        writeFile: {
          value: (bytes: Buffer) => {
            const stored = Buffer.from(bytes);
            if (++block === nth) stored[stored.length - 1] = 255 - (stored.at(-1) as number);
            return handle.writeFile(stored);
          },
        },
      });
      const writer = new BlockWriter(damaging, (error) => error);
      await write(writer);
      expect(await writer.finish()).toBe(false);
    }
  });

  test.skipIf(process.platform !== "linux")("tells what failed as the translation says", async () => {
    const failure = new Error("told");
    const writer = new BlockWriter(await open("/dev/full", "w"), () => failure);
    await writer.write(Buffer.from("x"));
    await expect(writer.finish()).rejects.toBe(failure);
  });
});
