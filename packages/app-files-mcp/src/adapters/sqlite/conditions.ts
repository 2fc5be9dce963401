import type { Parameter, Reader } from "@mcp-file-servers/sqlite";
import { prefixEnd } from "../../domain/file-path.ts";
import type { ListFilter } from "../../domain/listing.ts";
import { matchPattern, patternPrefix } from "../../domain/match-pattern.ts";
import type { GenerationCache } from "./generation-cache.ts";
import type { AppRow } from "./rows.ts";

/** A part of a WHERE clause with its parameters. */
export interface Condition {
  readonly sql: string;
  readonly parameters: readonly Parameter[];
}

export function allOf(...conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => sql).join(" AND "),
    parameters: conditions.flatMap(({ parameters }) => parameters),
  };
}

export function startsWith(prefix: string): Condition[] {
  if (prefix === "") return [];
  const end = prefixEnd(prefix);
  const from = { sql: "path >= ?", parameters: [prefix] };
  return end === undefined ? [from] : [from, { sql: "path < ?", parameters: [end] }];
}

/** `current`: files that are there; `told`: deleted files that are still told of as well. */
export type Scope = "current" | "told";

/** What a filter comes to in SQL, at one generation of an app. */
export function filterCondition(
  reader: Reader,
  cache: GenerationCache,
  app: AppRow,
  filter: ListFilter,
  scope: Scope,
): Condition {
  const state = scope === "current" ? "state = 0" : "state < 2";
  const conditions: Condition[] = [
    { sql: `app = ? AND ${state}`, parameters: [app.id] },
    ...startsWith(filter.prefix ?? ""),
  ];
  const { mime, updatedAfter, pattern } = filter;
  if (mime !== undefined && "exact" in mime) conditions.push({ sql: "mime = ?", parameters: [mime.exact] });
  if (mime !== undefined && "prefix" in mime) {
    conditions.push({ sql: "mime >= ? AND mime < ?", parameters: [mime.prefix, prefixEnd(mime.prefix)] });
  }
  if (updatedAfter !== undefined) conditions.push({ sql: "updated_at > ?", parameters: [updatedAfter] });
  if (pattern !== undefined) conditions.push(matching(reader, cache, app, pattern, scope));
  return allOf(...conditions);
}

interface Paths {
  readonly ids: readonly number[];
  readonly paths: readonly string[];
}

/** SQL narrows by the pattern's literal beginning; the pattern itself runs over a list of paths. */
function matching(
  reader: Reader,
  cache: GenerationCache,
  app: AppRow,
  pattern: string,
  scope: Scope,
): Condition {
  const prefix = patternPrefix(pattern);
  const generation = [app.id, app.files_version, scope];
  const matches = cache.get(
    JSON.stringify(["matches", ...generation, pattern]),
    () => {
      const { ids, paths } = cache.get(
        JSON.stringify(["paths", ...generation, prefix]),
        () => readPaths(reader, app, prefix, scope),
        (list) => list.paths.reduce((sum, path) => sum + path.length + 8, 0),
      );
      return JSON.stringify(matchPattern(pattern, paths).map((index) => ids[index]));
    },
    (list) => list.length,
  );
  return { sql: "id IN (SELECT value FROM json_each(?))", parameters: [matches] };
}

function readPaths(reader: Reader, app: AppRow, prefix: string, scope: Scope): Paths {
  const state = scope === "current" ? "state = 0" : "state < 2";
  const where = allOf({ sql: `app = ? AND ${state}`, parameters: [app.id] }, ...startsWith(prefix));
  // One text is several times faster to fetch than 100,000 rows.
  const row = reader.get<{ ids: string; paths: string }>(
    `SELECT json_group_array(id) AS ids, json_group_array(path) AS paths FROM file WHERE ${where.sql}`,
    where.parameters,
  );
  return { ids: JSON.parse(row?.ids ?? "[]"), paths: JSON.parse(row?.paths ?? "[]") };
}
