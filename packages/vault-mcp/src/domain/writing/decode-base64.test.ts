import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeBase64 } from "./decode-base64.ts";

it("gives every byte back, in both alphabets, with and without padding and line breaks", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const whole = Buffer.from(bytes);
      const standard = whole.toString("base64");
      const broken = standard.replace(/(.{4})/g, "$1\r\n");
      for (const text of [standard, standard.replace(/=+$/, ""), whole.toString("base64url"), broken]) {
        expect(decodeBase64("data_base64", text)).toEqual(whole);
      }
    }),
  );
});

it.each(["not base64!", "AAAA=AAA", "A", "AAAAA", "AB==CD==", "AAAA AAAA", "AAB"])("refuses %j", (text) => {
  expect(() => decodeBase64("data_base64", text)).toThrow("INVALID_ARGUMENT");
});
