import { fold } from "../../domain/fold.ts";
import type { ListHint, ListQuery } from "../../domain/listing.ts";
import { nearest } from "../../domain/nearest.ts";
import { bundleKeys, okfFacts } from "../../domain/okf.ts";
import { propertyText } from "../../domain/property-rows.ts";
import { type FolderScope, isInScope } from "../../domain/restrict/folder-scope.ts";
import { readWantedTag } from "../../domain/tags.ts";
import type { Conditions } from "./index-snapshot.ts";
import type { IndexView } from "./index-view.ts";
import { spellingsOf } from "./select-ids.ts";

const mostNearest = 5;

/** What of a query nothing in the vault answers to. */
export function findHints(view: IndexView, query: ListQuery): ListHint[] {
  return [
    ...folderHints(view, query),
    ...keyHints(view, query),
    ...tagHints(view, query),
    ...bundleValueHints(view, query),
    ...valueHints(view, query),
    ...scopeHints(view, query),
  ];
}

function folderHints(view: IndexView, { folder, within }: ListQuery): ListHint[] {
  if (folder === undefined || folder === "") return [];
  const isVisible = (path: string) => within === undefined || isInScope(path, within);
  if (spellingsOf(view, folder).some(isVisible)) return [];
  const folders = view.list<string>("SELECT path FROM folder", "path").filter(isVisible);
  const lastName = (path: string) => path.slice(path.lastIndexOf("/") + 1);
  return [{ kind: "folder", name: folder, nearest: nearest(folder, folders, mostNearest, lastName) }];
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

/** Of a bundle's keys the values are few: one that nothing has is worth a word. */
function bundleValueHints(view: IndexView, { conditions }: ListQuery): ListHint[] {
  if (!view.isBundle) return [];
  const asked = conditions.filter(({ key, operator }) => bundleKeys.includes(key) && operator === "eq");
  return asked.flatMap(({ key, operands }) => {
    const known = bundleValues(view, key);
    return operands
      .map(String)
      .filter((value) => !known.some((one) => one.toLowerCase() === value.toLowerCase()))
      .map((name) => ({ kind: "value", key, name, nearest: known, complete: true }) as const);
  });
}

const anything: Conditions = {
  folder: undefined,
  conditions: [],
  pattern: undefined,
  tags: [],
  modifiedFrom: undefined,
  modifiedBefore: undefined,
  includeAttachments: false,
};

/** More different values of a key are not looked through. */
const mostValues = 2_000;

/** A value that no note has, of a key that there is. */
function valueHints(view: IndexView, { conditions, within }: ListQuery): ListHint[] {
  // What values there are is not told to who may see some folders alone.
  if (within !== undefined) return [];
  const asked = conditions.filter(
    ({ key, operator }) => operator === "eq" && !(view.isBundle && bundleKeys.includes(key)),
  );
  return asked.flatMap((condition): ListHint[] => {
    const { key, operands } = condition;
    const name = key.normalize("NFC");
    const isHeld = (text: string) =>
      view.reader.get("SELECT 1 FROM property WHERE key = ? AND text = ? LIMIT 1", [name, text]) !==
      undefined;
    const unknown = operands.map(propertyText).filter((text) => !isHeld(text));
    if (unknown.length === 0) {
      const isMet = operands.length < 2 || view.select({ ...anything, conditions: [condition] }).includes(1);
      return isMet ? [] : [{ kind: "together", key }];
    }
    const known = valuesOf(view, name);
    if (known.length === 0) return [];
    return unknown.map((text) => {
      const near = nearest(text, known, mostNearest).map((value) => spelled(view, name, value));
      return { kind: "value", key, name: text, nearest: near, complete: false };
    });
  });
}

/** The different values of a key in the form in which they are compared, by jumps. */
function valuesOf(view: IndexView, key: string): string[] {
  return view.list<string>(
    `WITH RECURSIVE found (value) AS (
       SELECT min(text) FROM property WHERE key = ?
       UNION ALL SELECT (SELECT min(text) FROM property WHERE key = ? AND text > value) FROM found WHERE value IS NOT NULL
     ) SELECT value FROM found WHERE value IS NOT NULL LIMIT ${mostValues}`,
    "value",
    [key, key],
  );
}

function spelled(view: IndexView, key: string, text: string): string {
  const select = "SELECT shown FROM property WHERE key = ? AND text = ? AND shown IS NOT NULL LIMIT 1";
  return view.reader.get<{ shown: string }>(select, [key, text])?.shown ?? text;
}

/** Where a folder or a pattern holds attachments alone, or the root level nothing. */
function scopeHints(view: IndexView, query: ListQuery): ListHint[] {
  const { folder, pattern, within } = query;
  if (query.includeAttachments || (folder === undefined && pattern === undefined)) return [];
  const isEmpty = (selection: Conditions) => !view.select(selection).includes(1);
  const place = { ...anything, folder, pattern, within };
  if (!isEmpty(place)) return [];
  if (!isEmpty({ ...place, includeAttachments: true })) return [{ kind: "attachments" }];
  return folder === "" ? [{ kind: "root" }] : [];
}

function bundleValues(view: IndexView, key: string): string[] {
  const { reader, now } = view;
  const column = key === "stale" ? "stale_after" : key;
  const rows = reader.all<{ value: string | null }>(`SELECT DISTINCT ${column} AS value FROM okf`);
  const values = rows.map(({ value }) =>
    key === "stale" ? String(okfFacts({ stale_after: value }, now).stale) : (value ?? ""),
  );
  const usual = okfFacts({}, now);
  const differing = reader.get<{ n: number }>("SELECT count(*) AS n FROM okf")?.n ?? 0;
  const all = reader.get<{ n: number }>("SELECT count(*) AS n FROM document WHERE filterable = 1")?.n ?? 0;
  if (all > differing)
    values.push(String({ status: usual.status, trust_tier: usual.trustTier, stale: usual.stale }[key]));
  return [...new Set(values)].sort();
}
