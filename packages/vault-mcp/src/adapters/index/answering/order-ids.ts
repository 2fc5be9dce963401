import { orderedCharacters, type SortOrder } from "../../../domain/listing/sort-order.ts";
import type { IndexView } from "./index-view.ts";
import { andKind } from "./select-ids.ts";

const columns = { modified: "modified", created: "created", size: "size", title: "title" } as const;

/** The ids of all notes in an order, with attachments behind them where they are asked for. */
export function orderIds(view: IndexView, order: SortOrder, includeAttachments: boolean): Int32Array {
  const { key, descending } = order;
  if (key === "path") return byPath(view, descending, includeAttachments);
  const name = `order ${JSON.stringify([order, includeAttachments])}`;
  return view.keep(name, () => {
    const notes =
      typeof key === "string" ? byColumn(view, key, descending) : byProperty(view, key.property, descending);
    return includeAttachments ? joined(notes, attachments(view)) : notes;
  });
}

function byPath(view: IndexView, descending: boolean, includeAttachments: boolean): Int32Array {
  return view.keepMembership(`order path ${descending} ${includeAttachments}`, () =>
    Int32Array.from(
      view.ids(
        `SELECT id FROM document WHERE path > '' ${andKind({ includeAttachments })} ORDER BY path ${direction(descending)}`,
      ),
    ),
  );
}

function direction(descending: boolean): string {
  return descending ? "DESC" : "ASC";
}

function byColumn(view: IndexView, key: keyof typeof columns, descending: boolean): Int32Array {
  return Int32Array.from(
    view.ids(
      `SELECT id FROM document WHERE kind = 0 ORDER BY ${columns[key]} ${direction(descending)}, path ASC`,
    ),
  );
}

/** Numbers before texts, and what has no value last; the first value counts. Equal ones go by path. */
function byProperty(view: IndexView, property: string, descending: boolean): Int32Array {
  const numbers = byValue(view, property, "number IS NOT NULL", "number");
  const compared = `substr(text, 1, ${orderedCharacters})`;
  const texts = byValue(view, property, "number IS NULL AND text IS NOT NULL", compared);
  const groups = [...numbers, ...texts];
  if (descending) groups.reverse();
  return inGroups(groups, byPath(view, false, false), view.size);
}

/**
 * The notes of each value of a property, in the order of the values. Which are equal the database says, to the last
 * digit; to look their paths up there takes twice as long as all the rest.
 */
function byValue(view: IndexView, property: string, having: string, compared: string): number[][] {
  const row = view.reader.get<{ groups: string | null }>(
    `SELECT group_concat(ids) AS groups FROM (
       SELECT json_group_array(id >> 16) AS ids FROM property WHERE key = ? AND place = 0 AND ${having}
        GROUP BY ${compared} ORDER BY ${compared})`,
    [property.normalize("NFC")],
  );
  return JSON.parse(`[${row?.groups ?? ""}]`);
}

/** Ids group by group, those of a group in the order of `all`; then what is in no group. */
function inGroups(groups: readonly (readonly number[])[], all: Int32Array, size: number): Int32Array {
  const groupOf = new Int32Array(size).fill(groups.length);
  const next: number[] = [];
  let start = 0;
  for (const [group, ids] of groups.entries()) {
    next.push(start);
    start += ids.length;
    for (const id of ids) groupOf[id] = group;
  }
  next.push(start);
  const ordered = new Int32Array(all.length);
  for (const id of all) {
    const group = groupOf[id] ?? groups.length;
    const at = next[group] ?? 0;
    ordered[at] = id;
    next[group] = at + 1;
  }
  return ordered;
}

function attachments(view: IndexView): Int32Array {
  return Int32Array.from(view.ids("SELECT id FROM document WHERE kind = 1 ORDER BY path"));
}

function joined(first: Int32Array, second: Int32Array): Int32Array {
  const both = new Int32Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
