import type { ListQuery, ListRequest } from "../../../domain/listing/listing.ts";
import type { IndexView } from "./index-view.ts";
import { andKind, spellingsOf } from "./select-ids.ts";

/** Whether a query is a stretch of paths: nothing of it has to be evaluated or kept, whatever changes meanwhile. */
export function suitsKeyset(view: IndexView, query: ListQuery): boolean {
  const { conditions, tags, folder, pattern, modifiedFrom, modifiedBefore, within, order } = query;
  if (order.key !== "path" || conditions.length + tags.length > 0 || folder === "") return false;
  if (
    within !== undefined ||
    pattern !== undefined ||
    modifiedFrom !== undefined ||
    modifiedBefore !== undefined
  )
    return false;
  return folder === undefined || spellingsOf(view, folder).length === 1;
}

/** The documents of such a query from a position on, and how many there are. */
export function keysetPage(view: IndexView, { query, after }: ListRequest) {
  const { descending } = query.order;
  const [folder] = query.folder === undefined ? [] : spellingsOf(view, query.folder);
  const [first, end] = folder === undefined ? ["", "\u{10ffff}\u{10ffff}"] : [`${folder}/`, `${folder}0`];
  const kind = andKind(query);
  const within = `path > ? AND path < ? ${kind}`;
  const count = () =>
    view.reader.get<{ n: number }>(`SELECT count(*) AS n FROM document WHERE ${within}`, [first, end]);
  const { total } = view.keepMembership(`count ${JSON.stringify([first, kind])}`, () => ({
    total: count()?.n ?? 0,
    byteLength: 8,
  }));
  let low = descending ? first : (after?.path ?? first);
  let high = descending ? (after?.path ?? end) : end;
  return {
    total,
    next(most: number): number[] {
      const rows = view.reader.all<{ id: number; path: string }>(
        `SELECT id, path FROM document WHERE ${within} ORDER BY path ${descending ? "DESC" : "ASC"} LIMIT ?`,
        [low, high, most],
      );
      const last = rows.at(-1)?.path;
      if (last !== undefined && descending) high = last;
      else if (last !== undefined) low = last;
      return rows.map(({ id }) => id);
    },
  };
}
