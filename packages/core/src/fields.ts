import * as z from "zod";
import type { Json } from "./json.ts";

/** The value of the last field of every answer: a reader who sees it knows that nothing was cut off on the way. */
export const endOfText = "·eot";

/** The last field of every output schema. */
export const eot = z.literal(endOfText).describe("always last");

/** The last fields of a paged tool's output schema. */
export const pageFields = {
  returned: z.int().min(0).describe("entries on this page"),
  next_cursor: z.string().nullable().describe("pass as cursor to go on; null at the end"),
  note: z.string().optional().describe("what to know about this page"),
  omitted: z.array(z.string()).optional().describe("fields left out of an entry larger than the budget"),
  eot,
};

/** The argument that continues a walk. */
export const cursorArgument = z
  .string()
  .optional()
  .describe("next_cursor of the page before, with every other argument unchanged");

/** The argument that bounds a page. */
export function limitArgument(byDefault: number, max: number) {
  return z.int().min(1).max(max).default(byDefault).describe("most entries on a page");
}

/** An RFC 3339 date-time in an output; zod's own check would emit a pattern of 300 bytes. */
export function dateTime(description?: string) {
  const schema = z.string().meta({ format: "date-time" });
  return description === undefined ? schema : schema.describe(description);
}

/** Any JSON value; emitted with a list of types, since some clients refuse a schema without a type. */
export function anyJson(description: string) {
  const types = ["string", "number", "boolean", "array", "object", "null"];
  return z
    .custom<Json>((value) => value !== undefined)
    .meta({ type: types as never, items: {}, description });
}
