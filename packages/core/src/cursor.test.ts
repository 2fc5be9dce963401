import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import type { Json } from "./json.ts";

const schemas = { key: z.tuple([z.string(), z.int()]), walk: z.object({ generation: z.int() }).optional() };
const query = { name: "list", args: { folder: "a", tags: ["x"], filter: { b: 1, a: 2 } } };
const position = { key: ["päth/界", 7] as [string, number], walk: { generation: 3 } };
const cursor = encodeCursor(query, position as never);

describe("cursor", () => {
  test("goes on where its page ended, for the same query in any order of its arguments", () => {
    expect(decodeCursor(cursor, query, schemas)).toEqual(position);
    const reordered = { name: "list", args: { filter: { a: 2, b: 1 }, tags: ["x"], folder: "a" } };
    expect(decodeCursor(cursor, reordered, schemas)).toEqual(position);
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
  });

  test.each([
    ["another tool", { ...query, name: "search" }],
    ["another argument", { ...query, args: { ...query.args, folder: "b" } }],
    ["an argument more", { ...query, args: { ...query.args, more: 1 } }],
    ["an argument less", { name: "list", args: { folder: "a", tags: ["x"] } }],
    ["another order of a list", { ...query, args: { ...query.args, tags: ["y"] } }],
  ])("is refused for %s", (_what, other) => {
    expect(() => decodeCursor(cursor, other, schemas)).toThrow(
      expect.objectContaining({
        code: "INVALID_CURSOR",
        details: { reason: expect.stringContaining("another query") },
      }),
    );
  });

  test("is refused with any part cut off, changed or added", () => {
    const refused = expect.objectContaining({ code: "INVALID_CURSOR" });
    for (let length = 0; length < cursor.length; length++) {
      expect(() => decodeCursor(cursor.slice(0, length), query, schemas)).toThrow(refused);
      const changed = `${cursor.slice(0, length)}${cursor[length] === "A" ? "B" : "A"}${cursor.slice(length + 1)}`;
      expect(() => decodeCursor(changed, query, schemas)).toThrow(refused);
    }
    expect(() => decodeCursor(`${cursor}A`, query, schemas)).toThrow(refused);
  });

  test("is refused when its position is of another shape", () => {
    const old = encodeCursor(query, { key: ["only"], walk: undefined });
    expect(() => decodeCursor(old, query, schemas)).toThrow(
      expect.objectContaining({ details: { reason: expect.stringContaining("another version") } }),
    );
  });

  test("never takes garbage", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.base64String(),
          fc.string().map((text) => `1${text}`),
        ),
        (text) => {
          expect(() => decodeCursor(text, query, schemas)).toThrow(
            expect.objectContaining({ code: "INVALID_CURSOR" }),
          );
        },
      ),
    );
  });

  test("keeps any position", () => {
    fc.assert(
      fc.property(fc.jsonValue() as fc.Arbitrary<Json>, (key) => {
        // JSON knows no negative zero.
        const kept = JSON.parse(JSON.stringify(key));
        expect(
          decodeCursor(encodeCursor(query, { key, walk: undefined }), query, { key: z.unknown() }).key,
        ).toEqual(kept);
      }),
    );
  });
});
