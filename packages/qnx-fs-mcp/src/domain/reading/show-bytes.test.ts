import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { showBytes, showLastBytes } from "./show-bytes.ts";

const within = (most: number) => (content: string) => Buffer.byteLength(JSON.stringify(content)) <= most;
const auto = { as: "auto" as const, atEnd: true, fits: within(1_000), unaskedBase64: 100 };

describe("bytes as they are shown", () => {
  test("are text where they are UTF-8 without NUL, else base64", () => {
    expect(showBytes(Buffer.from("größe"), auto)).toEqual({
      encoding: "text",
      content: "größe",
      bytes: 7,
      lossy: false,
    });
    expect(showBytes(Buffer.of(0, 1, 2), auto)).toMatchObject({
      encoding: "base64",
      content: "AAEC",
      bytes: 3,
    });
    expect(showBytes(Buffer.of(0xff), { ...auto, as: "text" })).toMatchObject({
      content: "\ufffd",
      lossy: true,
    });
  });

  test("show little of a binary file that nobody asked for", () => {
    expect(showBytes(Buffer.alloc(500), auto).bytes).toBe(100);
    expect(showBytes(Buffer.alloc(500), { ...auto, as: "base64" }).bytes).toBe(500);
  });

  test("never end inside a character while more follows", () => {
    const cut = Buffer.from("ab😀").subarray(0, 4);
    expect(showBytes(cut, { ...auto, atEnd: false })).toMatchObject({ content: "ab", bytes: 2 });
    expect(showBytes(cut, { ...auto, as: "text" })).toMatchObject({ bytes: 4, lossy: true });
  });

  test("put together give the whole, whatever fits", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 200 }),
        fc.integer({ min: 16, max: 60 }),
        (text, most) => {
          const whole = Buffer.from(text);
          let shown = "";
          for (let at = 0; at < whole.length; ) {
            const part = showBytes(whole.subarray(at), { ...auto, as: "text", fits: within(most) });
            expect(part.bytes).toBeGreaterThan(0);
            shown += part.content;
            at += part.bytes;
          }
          expect(shown).toBe(text);
        },
      ),
    );
  });

  test("keep the end where the end was asked for", () => {
    const log = Buffer.from(Array.from({ length: 100 }, (_, line) => `line ${line}\n`).join(""));
    const shown = showLastBytes(log, { ...auto, fits: within(60) });
    expect(shown.content).toMatch(/^line \d+\n(line \d+\n)*line 99\n$/);
    expect(shown.skipped + shown.bytes).toBe(log.length);
  });
});
