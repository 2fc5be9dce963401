import fc from "fast-check";
import { expect, test } from "vitest";
import { LineReader } from "./line-reader.ts";

function read(chunks: readonly Buffer[], maxBytes: number) {
  const seen: string[] = [];
  const reader = new LineReader(maxBytes, {
    line: (text) => seen.push(text),
    tooLong: (head, tail) => seen.push(`long ${head} … ${tail}`),
  });
  for (const chunk of chunks) reader.push(chunk);
  return seen;
}

test("puts lines together however they are cut, also inside a character", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme" })),
      fc.array(fc.integer({ min: 1, max: 9 })),
      (texts, sizes) => {
        const lines = texts.map((text) => text.replaceAll("\n", ""));
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
        const chunks: Buffer[] = [];
        for (let start = 0, turn = 0; start < bytes.length; turn++) {
          const size = sizes[turn % Math.max(1, sizes.length)] ?? 3;
          chunks.push(bytes.subarray(start, start + size));
          start += size;
        }
        expect(read(chunks, 1_000_000)).toEqual(lines);
      },
    ),
  );
});

test("keeps both ends of a line that is too long and reads on", () => {
  const long = `head${"x".repeat(20_000)}tail`;
  const bytes = Buffer.from(`a\n${long}\nb\n`);
  for (const size of [7, 1_000, 100_000]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    const [first, cut, last] = read(chunks, 10_000);
    expect([first, last]).toEqual(["a", "b"]);
    expect(cut).toMatch(/^long headx{4092} … x{4092}tail$/);
  }
});
