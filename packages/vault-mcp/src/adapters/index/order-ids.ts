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
    return Int32Array.from(includeAttachments ? [...notes, ...attachments(view)] : notes);
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

function byColumn(view: IndexView, key: keyof typeof columns, descending: boolean): number[] {
  return view.ids(
    `SELECT id FROM document WHERE kind = 0 ORDER BY ${columns[key]} ${direction(descending)}, path ASC`,
  );
}

/** Numbers before texts, and what has no value last; the first value counts. */
function byProperty(view: IndexView, property: string, descending: boolean): number[] {
  const to = direction(descending);
  const text = `CASE WHEN number IS NULL THEN substr(text, 1, ${orderedCharacters}) END`;
  const having = view.ids(
    `SELECT document.id AS id FROM property JOIN document ON document.id = property.id >> 16
      WHERE key = ? AND place = 0 AND text IS NOT NULL
      ORDER BY number IS NULL ${to}, number ${to}, ${text} ${to}, path ASC`,
    [property.normalize("NFC")],
  );
  const placed = new Uint8Array(view.size);
  for (const id of having) placed[id] = 1;
  for (const id of byPath(view, false, false)) if (placed[id] === 0) having.push(id);
  return having;
}

function attachments(view: IndexView): number[] {
  return view.ids("SELECT id FROM document WHERE kind = 1 ORDER BY path");
}
