import { orderedCharacters, type SortOrder } from "../../domain/sort-order.ts";
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

/** Numbers before texts, and what has no value last; the first value counts. */
function byProperty(view: IndexView, property: string, descending: boolean): Int32Array {
  const paths = byPath(view, false, false);
  const place = new Int32Array(view.size);
  for (const [at, id] of paths.entries()) place[id] = at;
  const numbers = byValue(view, property, descending, place, { column: "number", compared: "number" });
  const compared = `substr(text, 1, ${orderedCharacters})`;
  const texts = byValue(view, property, descending, place, { column: "text", compared });
  const having = descending ? joined(texts, numbers) : joined(numbers, texts);
  const placed = new Uint8Array(view.size);
  for (const id of having) placed[id] = 1;
  return joined(
    having,
    paths.filter((id) => placed[id] === 0),
  );
}

/**
 * The notes of a property's values in their order, equal ones by path. Paths are compared here: to look each up in the
 * database takes twice as long as all the rest. Which values are equal the database says, to the last digit.
 */
function byValue(
  view: IndexView,
  property: string,
  descending: boolean,
  place: Int32Array,
  { column, compared }: { readonly column: "number" | "text"; readonly compared: string },
): Int32Array {
  const having = column === "number" ? "number IS NOT NULL" : "number IS NULL AND text IS NOT NULL";
  const row = view.reader.get<{ ids: string; ties: string }>(
    `SELECT json_group_array(id) AS ids, json_group_array(tied) AS ties FROM (
       SELECT id >> 16 AS id,
           lag(${compared}) OVER (ORDER BY ${column} ${direction(descending)}) IS ${compared} AS tied
         FROM property WHERE key = ? AND place = 0 AND ${having})`,
    [property.normalize("NFC")],
  );
  const ids = Int32Array.from(JSON.parse(row?.ids ?? "[]") as number[]);
  const ties: number[] = JSON.parse(row?.ties ?? "[]");
  const placeOf = (id: number) => place[id] ?? 0;
  for (let first = 0, at = 1; at <= ids.length; at += 1) {
    if (ties[at] === 1) continue;
    if (at - first > 1) ids.subarray(first, at).sort((a, b) => placeOf(a) - placeOf(b));
    first = at;
  }
  return ids;
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
