import fc from "fast-check";
import { expect, test } from "vitest";
import { displayName, displayPath, rawName, rawNameOf } from "./raw-name.ts";

test("raw names order like code points, not like UTF-16", () => {
  const codePoints = (text: string): number[] =>
    Array.from(text, (character) => character.codePointAt(0) as number);
  const compare = (a: number[], b: number[]): number => {
    for (const [index, point] of a.entries()) {
      const other = b[index];
      if (other === undefined) return 1;
      if (point !== other) return point - other;
    }
    return a.length - b.length;
  };
  const text = fc.string({ unit: "binary" });
  fc.assert(
    fc.property(text, text, (a, b) => {
      const [first, second] = [rawNameOf(a), rawNameOf(b)];
      const order = first < second ? -1 : first > second ? 1 : 0;
      expect(order).toBe(Math.sign(compare(codePoints(a), codePoints(b))));
    }),
  );
});

test("any bytes are kept, and are lossy exactly when they are not UTF-8", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const raw = rawName(bytes);
      expect(Buffer.from(raw, "latin1").equals(Buffer.from(bytes))).toBe(true);
      const { text, lossy } = displayPath(raw);
      expect(text.isWellFormed()).toBe(true);
      expect(Buffer.from(text).equals(Buffer.from(bytes))).toBe(!lossy);
    }),
  );
});

test("what could be read as more than a name is never acted upon", () => {
  for (const name of ["../x", "a/b", "a\0b", ""]) expect(displayName(rawNameOf(name)).lossy).toBe(true);
  expect(displayName(rawNameOf("a b'c;d"))).toEqual({ text: "a b'c;d", lossy: false });
});
