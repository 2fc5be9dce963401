import { expect, test } from "vitest";
import * as z from "zod";
import { anyJson, dateTime, eot, limitArgument } from "./fields.ts";
import { emitSchema } from "./schema.ts";

test("emits what every client accepts", () => {
  const schema = z.strictObject({
    limit: limitArgument(10, 50),
    count: z.int(),
    maybe: z.string().nullable(),
    word: z.enum(["a", "b"]).nullable(),
    inner: z.object({ a: z.int() }).nullable(),
    free: z.record(z.string(), anyJson("a value")),
    when: dateTime(),
    eot,
  });
  expect(emitSchema(schema, "input")).toEqual({
    type: "object",
    additionalProperties: false,
    required: ["count", "maybe", "word", "inner", "free", "when", "eot"],
    properties: {
      limit: { type: "integer", minimum: 1, maximum: 50, default: 10, description: "most entries on a page" },
      count: { type: "integer" },
      maybe: { type: ["string", "null"] },
      word: { type: ["string", "null"], enum: ["a", "b", null] },
      inner: { type: ["object", "null"], properties: { a: { type: "integer" } }, required: ["a"] },
      free: {
        type: "object",
        additionalProperties: {
          type: ["string", "number", "boolean", "array", "object", "null"],
          items: {},
          description: "a value",
        },
      },
      when: { type: "string", format: "date-time" },
      eot: { type: "string", const: "·eot", description: "always last" },
    },
  });
});

test("gives an object without properties an empty list of them", () => {
  expect(emitSchema(z.strictObject({}), "input")).toEqual({
    type: "object",
    additionalProperties: false,
    properties: {},
  });
});

test("closes arguments, so that a slip is seen, and leaves answers open to fields of later versions", () => {
  const schema = z.object({ list: z.array(z.strictObject({ free: z.record(z.string(), z.int()) })) });
  const free = { type: "object", additionalProperties: { type: "integer" } };
  const entry = { type: "object", properties: { free }, required: ["free"] };
  const list = { type: "array", items: entry };
  const open = { type: "object", properties: { list }, required: ["list"] };
  expect(emitSchema(schema, "output")).toEqual(open);
  expect(emitSchema(schema, "input")).toEqual({
    ...open,
    properties: { list: { ...list, items: { ...entry, additionalProperties: false } } },
  });
});

test.each([
  ["a union", z.strictObject({ a: z.union([z.string(), z.array(z.string())]) })],
  [
    "a discriminated union",
    z.strictObject({ a: z.discriminatedUnion("t", [z.object({ t: z.literal("x") })]) }),
  ],
  ["a reference", z.strictObject({ a: z.string().meta({ id: "Name" }), b: z.string() })],
])("refuses %s", (_what, schema) => {
  expect(() => emitSchema(schema, "input")).toThrow(/schema uses/);
});

test("takes an argument that is named like a keyword", () => {
  expect(emitSchema(z.strictObject({ not: z.string(), if: z.string() }), "input").required).toEqual([
    "not",
    "if",
  ]);
});
