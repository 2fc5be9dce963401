import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { app, newShelf } from "../test/shelf/app.ts";
import { callTool, registerTool } from "./call.ts";
import { decodeCursor } from "./cursor.ts";
import { pageFields } from "./fields.ts";
import { jsonBytes } from "./json.ts";
import { createLog } from "./log.ts";
import { fillPage, pageForm } from "./page.ts";

const output = z.object({
  files: z.array(
    z.object({ path: z.string(), text: z.string().optional(), tags: z.array(z.string()).optional() }),
  ),
  total: z.int(),
  ...pageFields,
});
const form = pageForm(output, "files");
const query = { name: "list", args: {} };
const page = (texts: readonly string[], more = false) => ({
  entries: texts.map((text, index) => ({
    entry: { path: `p${index}`, text, tags: ["t"] },
    key: [`p${index}`],
  })),
  more,
  fields: { total: texts.length },
});

describe("filling a page", () => {
  test("keeps the order of the output schema and ends with the mark", () => {
    const filled = fillPage(page(["a"]), form, query, 4_000);
    expect(Object.keys(filled)).toEqual(["files", "total", "returned", "next_cursor", "eot"]);
    expect(filled).toMatchObject({ returned: 1, next_cursor: null, eot: "·eot" });
  });

  test("leaves what does not fit to the next page and says so", () => {
    const filled = fillPage(page(["a".repeat(1500), "b".repeat(1500), "c".repeat(1500)]), form, query, 4_000);
    expect(filled.returned).toBe(2);
    expect(filled.next_cursor).toEqual(expect.any(String));
    expect(filled.note).toBe("Shortened to 2 of 3 entries to fit an answer's size; next_cursor goes on.");
  });

  test("sends an entry larger than the budget alone, without its largest field", () => {
    const filled = fillPage(page(["x".repeat(9_000), "b"]), form, query, 4_000);
    expect(filled).toMatchObject({ files: [{ path: "p0", tags: ["t"] }], returned: 1, omitted: ["text"] });
    expect(filled.next_cursor).toEqual(expect.any(String));
    const after = fillPage(page(["a", "x".repeat(9_000)]), form, query, 4_000);
    expect(after).toMatchObject({ returned: 1 });
    expect(after).not.toHaveProperty("omitted");
  });

  test("goes on where a search ended, beyond its last entry or without any", () => {
    const keyOf = ({ next_cursor }: Record<string, unknown>) =>
      decodeCursor(String(next_cursor), query, { key: z.tuple([z.string()]) }).key;
    const ended = (texts: readonly string[]) => ({ ...page(texts, true), end: ["far"] });
    expect(keyOf(fillPage(ended([]), form, query, 4_000))).toEqual(["far"]);
    expect(keyOf(fillPage(ended(["a"]), form, query, 4_000))).toEqual(["far"]);
    const long = ["a".repeat(1500), "b".repeat(1500), "c".repeat(1500)];
    expect(keyOf(fillPage(ended(long), form, query, 4_000))).toEqual(["p1"]);
  });

  test("keeps a tool's own note and lets fields depend on the cut", () => {
    const noted = {
      ...page(["a"], true),
      note: "Own note.",
      fields: (cut: { more: boolean }) => ({ total: cut.more ? 1 : 0 }),
    };
    expect(fillPage(noted, form, query, 4_000)).toMatchObject({ note: "Own note.", total: 1 });
  });

  test("drops undeclared keys of entries and refuses entries of another shape", () => {
    const stray = { ...page([]), entries: [{ entry: { path: "a", secret: 1 }, key: ["a"] }] };
    expect(fillPage(stray, form, query, 4_000).files).toEqual([{ path: "a" }]);
    const wrong = { ...page([]), entries: [{ entry: { path: 5 }, key: ["a"] }] };
    expect(() => fillPage(wrong, form, query, 4_000)).toThrow();
  });

  test("stays within any budget for any entries", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "binary", maxLength: 3_000 }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 4_000, max: 9_000 }),
        fc.boolean(),
        (texts, budget, more) => {
          const filled = fillPage(
            page(
              texts.map((text) => text.toWellFormed()),
              more,
            ),
            form,
            query,
            budget,
          );
          expect(jsonBytes(filled)).toBeLessThanOrEqual(budget);
          expect((filled.files as unknown[]).length).toBeGreaterThan(0);
        },
      ),
    );
  });
});

/** What happens to the shelf between two pages. */
const change = fc.record({
  add: fc.array(fc.string({ maxLength: 6 }), { maxLength: 4 }),
  remove: fc.nat({ max: 30 }),
});

test("a walk by name returns each lasting item once and ends, whatever comes and goes between its pages", async () => {
  const [list] = app.tools;
  if (list === undefined) throw new Error("no tool");
  const registered = registerTool(list);
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }), { maxLength: 40 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
      fc.array(change, { maxLength: 20 }),
      async (names, sizes, changes) => {
        const shelf = newShelf(names);
        const lasting = new Set(names);
        const seen: string[] = [];
        let cursor: unknown;
        for (let turn = 0; cursor !== null; turn++) {
          expect(turn).toBeLessThan(200);
          const answer = await callTool(
            registered,
            { limit: sizes[turn % sizes.length], ...(cursor !== undefined && { cursor }) },
            {
              deps: shelf,
              failures: app.failures,
              cancelled: new AbortController().signal,
              log: createLog(() => {}, "error"),
              budget: 40_000,
              client: "",
              progress: () => {},
            },
          );
          const data = answer.structuredContent as { items: { name: string }[]; next_cursor: string | null };
          seen.push(...data.items.map(({ name }) => name));
          cursor = data.next_cursor;
          const { add, remove } = changes[turn] ?? { add: [], remove: 31 };
          for (const name of add) shelf.items.set(name, "");
          const gone = [...shelf.items.keys()][remove];
          if (gone !== undefined) {
            shelf.items.delete(gone);
            lasting.delete(gone);
          }
        }
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen).toEqual(expect.arrayContaining([...lasting]));
      },
    ),
  );
});
