import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { anyJson } from "./fields.ts";
import { mendArguments, nearestName, parseArguments } from "./input.ts";
import { emitSchema } from "./schema.ts";

const input = z.strictObject({
  path: z.string().min(1).describe("a path"),
  limit: z.int().min(1).max(100).default(10).describe("how many"),
  ratio: z.number().optional().describe("a ratio"),
  deep: z.boolean().default(false).describe("deep"),
  tags: z.array(z.string()).max(3).optional().describe("tags"),
  sort: z.enum(["name", "size"]).default("name").describe("order"),
  filters: z.record(z.string(), anyJson("a value")).optional().describe("filters"),
  edits: z
    .array(z.strictObject({ old_text: z.string(), all: z.boolean().optional(), at: z.int().optional() }))
    .optional(),
});
const schema = emitSchema(input, "input");
const parse = (args: Record<string, unknown> | null) => parseArguments(args, input, schema);

function refusal(args: Record<string, unknown>) {
  try {
    parse(args);
  } catch (error) {
    return (error as { details: { argument: string; problem: string; next: string } }).details;
  }
  throw new Error("was taken");
}

describe("mending", () => {
  test.each([
    [
      "null for an optional argument",
      { path: "a", limit: null, tags: null, ratio: null, filters: null },
      { path: "a" },
    ],
    ["digits for a whole number", { path: "a", limit: "5" }, { path: "a", limit: 5 }],
    ["digits for a number", { path: "a", ratio: "-0.5" }, { path: "a", ratio: -0.5 }],
    ["words for a boolean", { path: "a", deep: "true" }, { path: "a", deep: true }],
    ["JSON text for a list", { path: "a", tags: '["x","y"]' }, { path: "a", tags: ["x", "y"] }],
    ["JSON text for an object", { path: "a", filters: '{"k":"1"}' }, { path: "a", filters: { k: "1" } }],
    [
      "inside lists of objects",
      { edits: [{ old_text: "5", all: "false", at: null }] },
      { edits: [{ old_text: "5", all: false }] },
    ],
    ["inside JSON text", { edits: '[{"old_text":"5","at":"7"}]' }, { edits: [{ old_text: "5", at: 7 }] }],
  ])("takes %s", (_what, given, meant) => {
    expect(mendArguments(given, schema)).toEqual(meant);
  });

  test.each([
    [{ path: "null" }],
    [{ path: '["a"]' }],
    [{ path: "5" }],
    [{ limit: "1e3" }],
    [{ limit: "0x10" }],
    [{ limit: " 5" }],
    [{ deep: "True" }],
    [{ tags: "x" }],
    [{ tags: '{"a":1}' }],
    [{ tags: ["null"] }],
    [{ filters: { k: "5", n: null, b: "true" } }],
    [{ path: null }],
  ])("leaves %j as it is", (given) => {
    expect(mendArguments(given, schema)).toEqual(given);
  });

  test("reads no arguments as an empty object", () => {
    expect(mendArguments(null, schema)).toEqual({});
    expect(mendArguments(undefined, schema)).toEqual({});
  });

  test("never touches text, whatever it looks like", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.integer().map(String)), (text) => {
        expect(mendArguments({ path: text, tags: [text] }, schema)).toEqual({ path: text, tags: [text] });
      }),
    );
  });

  test("keeps a member named __proto__ a member", () => {
    const given = JSON.parse('{"__proto__":{"limit":1},"path":"a"}');
    expect(Object.keys(mendArguments(given, schema))).toEqual(["__proto__", "path"]);
  });
});

describe("refusing", () => {
  test.each([
    [
      { path: "a", limt: 1 },
      "",
      /unknown argument "limt"; accepted are path, limit/,
      'Call again with limit in place of "limt".',
    ],
    [{ path: "a", xyzzy_1: 1 }, "", /unknown argument "xyzzy_1"/, 'Call again without "xyzzy_1".'],
    [
      { path: "a", edits: [{ old_text: "a", al: true }] },
      "",
      /unknown argument "al" in edits\[0\]; accepted are old_text, all, at/,
      /all/,
    ],
    [{}, "path", /is missing; it must be text of at least 1 characters/, /path/],
    [{ path: "" }, "path", /must be text of at least 1 characters, not ""/, /path/],
    [
      { path: "a", limit: 0 },
      "limit",
      "must be a whole number from 1 to 100, not 0",
      "Call again with limit as a whole number from 1 to 100.",
    ],
    [{ path: "a", limit: 101 }, "limit", /1 to 100, not 101/, /limit/],
    [{ path: "a", limit: 1.5 }, "limit", /whole number.*not 1.5/, /limit/],
    [{ path: "a", limit: "many" }, "limit", /not "many"/, /limit/],
    [{ path: "a", deep: 1 }, "deep", "must be true or false, not 1", /deep/],
    [{ path: "a", sort: "date" }, "sort", 'must be one of "name", "size", not "date"', /sort/],
    [{ path: "a", tags: ["a", 5] }, "tags[1]", "must be text, not 5", /tags/],
    [{ path: "a", tags: ["a", "b", "c", "d"] }, "tags", /a list of at most 3 items/, /tags/],
    [{ path: "a", edits: [{}] }, "edits[0].old_text", /is missing/, /edits\[0\].old_text/],
  ])("%j names argument, value and what is accepted", (args, argument, problem, next) => {
    const details = refusal(args);
    expect(details.argument).toBe(argument);
    expect(details.problem).toMatch(problem);
    expect(details.next).toMatch(next);
  });

  test("tells several problems at once", () => {
    expect(refusal({ path: "a", limit: 0, deep: 3 }).problem).toContain(
      "; deep: must be true or false, not 3",
    );
  });

  test("shows no control characters of the caller's", () => {
    expect(refusal({ path: "a", sort: "x\n\u001b" }).problem).toMatch(/not "x "$/);
  });
});

test("suggests a name only where one is near", () => {
  expect(nearestName("dryrun", ["path", "dry_run"])).toBe("dry_run");
  expect(nearestName("max", ["path", "max_entries"])).toBe("max_entries");
  expect(nearestName("qqqq", ["path", "limit"])).toBeUndefined();
  expect(nearestName("a", [])).toBeUndefined();
});
