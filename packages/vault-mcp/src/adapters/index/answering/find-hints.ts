import { fold } from "../../../domain/fold.ts";
import type { ListHint, ListQuery } from "../../../domain/listing/listing.ts";
import { mostNearest, nearest } from "../../../domain/nearest.ts";
import { nameOf } from "../../../domain/note/note.ts";
import { readWantedTag } from "../../../domain/note/tags.ts";
import { bundleKeys } from "../../../domain/okf.ts";
import { type FolderScope, isInScope } from "../../../domain/restrict/folder-scope.ts";
import type { IndexView } from "./index-view.ts";
import { placeHints } from "./place-hints.ts";
import { spellingsOf } from "./select-ids.ts";
import { bundleValueHints, valueHints } from "./value-hints.ts";

/**
 * What of a query nothing in the vault answers to.
 *
 * @param total how many documents the query has.
 */
export function findHints(view: IndexView, query: ListQuery, total: number): ListHint[] {
  return [
    ...folderHints(view, query),
    ...keyHints(view, query),
    ...tagHints(view, query),
    ...bundleValueHints(view, query),
    ...valueHints(view, query),
    // To look at a whole folder is too much for every page.
    ...(total === 0 ? placeHints(view, query) : []),
  ];
}

function folderHints(view: IndexView, { folder, within }: ListQuery): ListHint[] {
  if (folder === undefined || folder === "") return [];
  const isVisible = (path: string) => within === undefined || isInScope(path, within);
  if (spellingsOf(view, folder).some(isVisible)) return [];
  const folders = view.list<string>("SELECT path FROM folder", "path").filter(isVisible);
  return [{ kind: "folder", name: folder, nearest: nearest(folder, folders, mostNearest, nameOf) }];
}

function keyHints(view: IndexView, { conditions, within }: ListQuery): ListHint[] {
  const asked = conditions.map(({ key }) => key).filter((key) => !view.isBundle || !bundleKeys.includes(key));
  if (asked.length === 0) return [];
  const isKnown = (key: string) =>
    view.reader.get("SELECT 1 FROM property WHERE key = ? LIMIT 1", [key.normalize("NFC")]) !== undefined;
  const visible = within === undefined ? undefined : new Set(visibleValues(view, "property", "key", within));
  const unknown = [...new Set(asked)].filter((key) => !(visible?.has(key.normalize("NFC")) ?? isKnown(key)));
  if (unknown.length === 0) return [];
  const keys = visible ?? allValues(view, "property", "key");
  return unknown.map((key) => ({ kind: "key", name: key, nearest: nearest(key, keys, mostNearest) }));
}

function tagHints(view: IndexView, { tags, within }: ListQuery): ListHint[] {
  if (tags.length === 0) return [];
  const visible = within === undefined ? undefined : visibleValues(view, "tag", "name", within);
  const isKnown = (tag: string) => {
    const name = fold(tag);
    if (visible !== undefined) return visible.some((one) => one === name || one.startsWith(`${name}/`));
    const where = "name = ? OR (name > ? AND name < ?)";
    const range = [name, `${name}/`, `${name}0`];
    return view.reader.get(`SELECT 1 FROM tag WHERE ${where} LIMIT 1`, range) !== undefined;
  };
  const unknown = tags.filter((wanted) => !isKnown(readWantedTag(wanted).tag));
  if (unknown.length === 0) return [];
  const known = new Set<string>();
  for (const name of visible ?? allValues(view, "tag", "name")) {
    const tag =
      view.reader.get<{ tag: string }>("SELECT tag FROM tag WHERE name = ? LIMIT 1", [name])?.tag ?? name;
    for (let slash = tag.indexOf("/"); slash > 0; slash = tag.indexOf("/", slash + 1))
      known.add(tag.slice(0, slash));
    known.add(tag);
  }
  return unknown.map((wanted) => {
    const { tag } = readWantedTag(wanted);
    return { kind: "tag", name: tag, nearest: nearest(tag, known, mostNearest) };
  });
}

/** The different values of an indexed column: a jump from each to the next, since there are few among many rows. */
function allValues(view: IndexView, table: "property" | "tag", column: "key" | "name"): string[] {
  return view.list<string>(
    `WITH RECURSIVE found (value) AS (
       SELECT min(${column}) FROM ${table}
       UNION ALL SELECT (SELECT min(${column}) FROM ${table} WHERE ${column} > value) FROM found WHERE value IS NOT NULL
     ) SELECT value FROM found WHERE value IS NOT NULL`,
    "value",
  );
}

/** The same of the documents in some folders. */
function visibleValues(
  view: IndexView,
  table: "property" | "tag",
  column: "key" | "name",
  within: FolderScope,
): string[] {
  const folders = within.flatMap((folder) => spellingsOf(view, folder));
  const values = folders.flatMap((folder) =>
    view.list<string>(
      `SELECT DISTINCT ${column} AS value FROM document
         JOIN ${table} ON ${table}.id BETWEEN document.id << 16 AND (document.id << 16) + 65535
        WHERE path > ? AND path < ?`,
      "value",
      [`${folder}/`, `${folder}0`],
    ),
  );
  return [...new Set(values)];
}
