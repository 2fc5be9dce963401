import { afterEach, beforeEach, expect, it } from "vitest";
import { writtenIndex } from "../../../../test/support/written-index.ts";
import type { SortKey } from "../../../domain/listing/sort-order.ts";
import { orderIds } from "./order-ids.ts";

let index: Awaited<ReturnType<typeof writtenIndex>>;
beforeEach(async () => {
  index = await writtenIndex();
});
afterEach(() => index.dispose());

/** Paths in an order. */
function ordered(key: SortKey, descending: boolean): Promise<string[]> {
  return index.answering.read((view) =>
    view.documents([...orderIds(view, { key, descending }, false)]).map(({ path }) => path),
  );
}

it("orders by a property: numbers to the last digit, then texts by their beginning, equal ones by path", async () => {
  const long = "x".repeat(200);
  const values = {
    "a.md": "w: 5",
    "b.md": "w: 0.30000000000000004",
    "c.md": "w: 0.3",
    "d.md": `w: ${long}b`,
    "e.md": `w: ${long}a`,
    "f.md": "w: Abc",
    "g.md": "other: 1",
    "h.md": "w: 5",
    "B.md": "w: 5",
    "i.md": "w: [7, 1]",
  };
  for (const [path, value] of Object.entries(values)) await index.put(path, `---\n${value}\n---\n`);
  const key = { property: "w" };
  expect(await ordered(key, false)).toEqual("c.md b.md B.md a.md h.md i.md f.md d.md e.md g.md".split(" "));
  expect(await ordered(key, true)).toEqual("d.md e.md f.md i.md B.md a.md h.md b.md c.md g.md".split(" "));
});

it.each(["modified", "created", "size", "title"] as const)("walks an index to sort by %s", async (key) => {
  const plans = await index.answering.read((view) => {
    const found: string[] = [];
    const { reader } = view;
    const explained = {
      ...reader,
      get(sql: string, parameters?: never[]) {
        const steps = reader.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, parameters);
        found.push(...steps.map(({ detail }) => detail));
        return reader.get(sql, parameters);
      },
    };
    Object.assign(view, { reader: explained });
    orderIds(view, { key, descending: false }, false);
    return found;
  });
  expect(plans).toContainEqual(expect.stringContaining(`COVERING INDEX document_${key}`));
  expect(plans).not.toContainEqual(expect.stringContaining("TEMP B-TREE"));
});
