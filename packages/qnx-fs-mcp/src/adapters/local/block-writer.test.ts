import { createHash } from "node:crypto";
import { open, readFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { noise } from "../../../test/transfer-bench.ts";
import { LocalHash } from "../../domain/local-hash.ts";
import { BlockWriter } from "./block-writer.ts";
import { LocalFolder } from "./local-folder.ts";

let folder: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ folder, remove } = await temporaryFolder());
});
afterEach(() => remove());

const bytes = noise(2_300_001);
const sizes = [1, 0, 65_536, 524_288, 1_600_000];

/** Writes `bytes` in pieces of many sizes, each in a buffer that is wiped once it was taken. */
async function write(writer: BlockWriter, wrote: (stored: number) => void = () => {}): Promise<void> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const piece = Buffer.from(bytes.subarray(at, at + (sizes[turn % sizes.length] as number)));
    at += piece.length;
    await writer.write(piece);
    piece.fill(0);
    wrote(writer.stored);
  }
}

describe("a file that is written in blocks", () => {
  test("holds what was given, whatever the pieces, once it is finished", async () => {
    const file = path.join(folder, "f");
    const writer = new BlockWriter(await open(file, "wx"), (error) => error);
    await write(writer);
    await writer.finish();
    expect((await readFile(file)).equals(bytes)).toBe(true);
    expect(writer.stored).toBe(bytes.length);
  });

  test("can be read as far as it says, while it is written", async () => {
    const file = path.join(folder, "f");
    const writer = new BlockWriter(await open(file, "wx"), (error) => error);
    const local = new LocalFolder({
      roots: async () => [folder],
      own: folder,
      home: folder,
      platform: process.platform,
    });
    const hash = await LocalHash.open(local, file);
    const stored: number[] = [];
    await write(writer, (now) => {
      stored.push(now);
      hash.follow(now);
    });
    await writer.finish();
    expect(await hash.digest()).toBe(createHash("sha256").update(bytes).digest("hex"));
    await hash.close();
    expect(stored.some((now) => now > 0 && now < bytes.length)).toBe(true);
  });

  test.skipIf(process.platform !== "linux")("tells what failed as the translation says", async () => {
    const failure = new Error("told");
    const writer = new BlockWriter(await open("/dev/full", "w"), () => failure);
    await writer.write(Buffer.from("x"));
    await expect(writer.finish()).rejects.toBe(failure);
  });
});
