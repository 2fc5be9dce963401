import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contentOf } from "../testing/content-of.ts";
import { blockSize, lineCount } from "./content.ts";
import { readLines, readTextAt } from "./text-window.ts";

const characters = fc.string({
  unit: fc.constantFrom("a", "é", "界", "😀", "\n", "\r\n", "\ufeff"),
  maxLength: 60,
});

describe("text windows", () => {
  test("of any size, put together, are the whole text", async () => {
    await fc.assert(
      fc.asyncProperty(characters, fc.integer({ min: 1, max: 9 }), async (text, length) => {
        const content = contentOf(Buffer.from(text));
        let offset = 0;
        let joined = "";
        while (offset < content.facts.size) {
          const window = await readTextAt(content, offset, length);
          expect(window.offset).toBe(offset);
          expect(window.end).toBeGreaterThan(offset);
          joined += window.text;
          offset = window.end;
        }
        expect(joined).toBe(text);
      }),
    );
  });

  test("from any offset begin with the character that it falls into", async () => {
    await fc.assert(
      fc.asyncProperty(characters, fc.nat(200), fc.integer({ min: 1, max: 20 }), async (text, at, length) => {
        const bytes = Buffer.from(text);
        const window = await readTextAt(contentOf(bytes), Math.min(at, bytes.length), length);
        expect(window.offset).toBeLessThanOrEqual(Math.min(at, bytes.length));
        expect(Math.min(at, bytes.length) - window.offset).toBeLessThan(4);
        expect(bytes.subarray(window.offset, window.end).toString()).toBe(window.text);
        expect(window.text).not.toContain("\ufffd");
      }),
    );
  });

  test("are whole at the edge of a block", async () => {
    const text = `${"a".repeat(blockSize - 1)}界\nlast`;
    const content = contentOf(Buffer.from(text));
    expect((await readTextAt(content, blockSize - 1, 1)).text).toBe("界");
    expect((await readTextAt(content, blockSize + 1, 10)).text).toBe("界\nlast");
    expect((await readLines(content, 2, 2, 100)).text).toBe("last");
  });
});

describe("lines", () => {
  test("of any range are what splitting gives, with their ends", async () => {
    await fc.assert(
      fc.asyncProperty(characters, fc.nat(10), fc.nat(10), async (text, from, count) => {
        const content = contentOf(Buffer.from(text));
        const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
        expect(lineCount(content.facts)).toBe(lines.length);
        const first = 1 + (from % Math.max(lines.length, 1));
        const window = await readLines(content, first, first + count, 10_000);
        expect(window.text).toBe(lines.slice(first - 1, first + count).join(""));
        expect(window.complete).toBe(true);
        expect(Buffer.from(text).subarray(window.offset, window.end).toString()).toBe(window.text);
      }),
    );
  });

  test("say when they are not all there", async () => {
    const content = contentOf(Buffer.from("first\nsecond\nthird\n"));
    expect(await readLines(content, 1, 2, 8)).toEqual({
      text: "first\nse",
      offset: 0,
      end: 8,
      complete: false,
    });
    expect(await readLines(content, 1, 1, 8)).toEqual({ text: "first\n", offset: 0, end: 6, complete: true });
  });

  test("beyond the end are refused, and the end may be asked for", async () => {
    const content = contentOf(Buffer.from("only\n"));
    await expect(readLines(content, 2, 2, 10)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect((await readLines(content, 1, 1_000, 10)).text).toBe("only\n");
    expect((await readLines(contentOf(new Uint8Array()), 1, 5, 10)).text).toBe("");
  });

  test("of a large file cost what they cost in a small one", async () => {
    const line = `${"x".repeat(99)}\n`;
    const bytes = Buffer.from(line.repeat(600_000));
    const content = contentOf(bytes);
    expect((await readLines(content, 500_000, 500_001, 1_000)).text).toBe(line.repeat(2));
    const read = content.reads.reduce((sum, [, length]) => sum + length, 0);
    expect(read).toBeLessThanOrEqual(3 * blockSize);
  });
});
