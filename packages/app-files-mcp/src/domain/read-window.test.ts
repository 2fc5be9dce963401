import fc from "fast-check";
import { expect, test } from "vitest";
import { contentOf } from "../testing/content-of.ts";
import { blockSize } from "./content.ts";
import { readAll, readVerified } from "./read-window.ts";

const bytes = Uint8Array.from(
  { length: 3 * blockSize + 1000 },
  (_, index) => (index * 7 + (index >> 10)) % 256,
);

test("gives any window as it was written, and reads whole blocks alone", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length + 10), fc.nat(2 * blockSize), async (offset, length) => {
      const content = contentOf(bytes);
      const window = await readVerified(content, offset, length);
      expect(Buffer.compare(window, bytes.subarray(offset, offset + length))).toBe(0);
      for (const [from, size] of content.reads) {
        expect(from % blockSize).toBe(0);
        expect(size).toBeLessThanOrEqual(Math.ceil(length / blockSize + 1) * blockSize);
      }
    }),
    { numRuns: 40 },
  );
});

test("gives none of the bytes of a damaged block, and the other blocks still", async () => {
  const content = contentOf(bytes);
  const damaged = bytes.slice();
  damaged[blockSize + 5] = (damaged[blockSize + 5] ?? 0) ^ 1;
  const broken = {
    ...content,
    read: async (offset: number, length: number) => damaged.slice(offset, offset + length),
  };
  await expect(readVerified(broken, blockSize + 100, 10)).rejects.toMatchObject({
    code: "CORRUPT",
    details: { path: "f", version: 1 },
  });
  await expect(readAll(broken)).rejects.toMatchObject({ code: "CORRUPT" });
  expect((await readVerified(broken, 0, blockSize)).length).toBe(blockSize);
  expect((await readVerified(broken, 2 * blockSize, 10)).length).toBe(10);
});

test.each([0, 1, blockSize, 2 * blockSize + 7])(
  "refuses a content of which only %i bytes are there",
  async (length) => {
    const content = contentOf(bytes);
    const cut = {
      ...content,
      read: async (offset: number, size: number) => bytes.slice(offset, Math.min(length, offset + size)),
    };
    await expect(readAll(cut)).rejects.toMatchObject({ code: "CORRUPT" });
  },
);
