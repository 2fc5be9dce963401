import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeBase64 } from "./base64.ts";

test("gives back any bytes, with and without padding, in lines of any length", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 80 }), (bytes, width) => {
      const text = Buffer.from(bytes).toString("base64");
      expect(Buffer.compare(decodeBase64(text), bytes)).toBe(0);
      expect(Buffer.compare(decodeBase64(text.replace(/=+$/, "")), bytes)).toBe(0);
      const lines = text.match(new RegExp(`.{1,${width}}`, "g"))?.join("\r\n") ?? "";
      expect(Buffer.compare(decodeBase64(`${lines}\n`), bytes)).toBe(0);
    }),
  );
});

test.each([49_150, 49_151, 49_152, 49_153, 2_000_001])("decodes %i bytes, slice by slice", (size) => {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at++) bytes[at] = (at * 2_654_435_761) >>> 24;
  const text = bytes.toString("base64");
  expect(Buffer.compare(decodeBase64(text), bytes)).toBe(0);
  expect(Buffer.compare(decodeBase64(text.replace(/=+$/, "")), bytes)).toBe(0);
});

test.each([
  ["a space", "YW Jj", /does not know at 2/],
  ["the URL alphabet", "YW-_", /URL alphabet/],
  ["a data URI", "data:text/plain;base64,YWJj", /data URI; base64 is what follows its comma/],
  ["half a group", "YWJjZ", /cut off/],
  ["padding in the middle", "YQ==YWJj", /= before its end/],
  ["too much padding", "YWI==", /padding/],
  ["padding alone", "====", /= before its end/],
  ["spare bits", "YWJ", /stand for nothing/],
])("refuses %s", (_, text, problem) => {
  expect(() => decodeBase64(text)).toThrow(
    expect.objectContaining({ details: { problem: expect.stringMatching(problem) } }),
  );
});

test("any single wrong character is refused or changes the bytes, and never passes unseen", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 30 }),
      fc.nat(),
      fc.constantFrom(..."AZaz09+/ -_=%é"),
      (bytes, at, character) => {
        const text = Buffer.from(bytes).toString("base64");
        const index = at % text.length;
        const changed = text.slice(0, index) + character + text.slice(index + 1);
        if (changed === text) return;
        try {
          expect(Buffer.compare(decodeBase64(changed), bytes)).not.toBe(0);
        } catch (error) {
          expect(error).toMatchObject({ code: "INVALID_BASE64" });
        }
      },
    ),
  );
});
