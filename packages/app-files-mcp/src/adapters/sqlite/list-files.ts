import type { Reader } from "@mcp-file-servers/sqlite";
import { AppFilesError } from "../../domain/errors.ts";
import { comparePaths } from "../../domain/file-path.ts";
import type { Listing, ListPosition, ListQuery, ListView, SortKey } from "../../domain/listing.ts";
import { nearestNames } from "../../domain/nearest.ts";
import { allOf, type Condition, filterCondition } from "./conditions.ts";
import type { GenerationCache } from "./generation-cache.ts";
import { readApp } from "./read-state.ts";
import { type AppRow, type FileRow, recordColumns, toRecord, toUsage } from "./rows.ts";

type Placed = Listing["entries"][number];
type FilesView = Extract<ListView, { kind: "files" }>;

/** One page, on the snapshot of `reader`. */
export function listFiles(reader: Reader, cache: GenerationCache, query: ListQuery): Listing {
  const app = readApp(reader, query.app);
  if (app === undefined) return emptyListing(reader, query.app);
  const page =
    query.view.kind === "changes"
      ? listChanges(reader, cache, app, query, query.view.since)
      : listView(reader, cache, app, query, query.view);
  return { ...page, usage: toUsage(app), filesVersion: app.files_version };
}

function emptyListing(reader: Reader, app: string): Listing {
  const names = reader.all<{ name: string }>("SELECT name FROM app WHERE count > 0 ORDER BY name LIMIT 1000");
  return {
    entries: [],
    more: false,
    total: 0,
    usage: toUsage(undefined),
    filesVersion: 0,
    changedSince: 0,
    nearestApps: nearestNames(
      app,
      names.map(({ name }) => name),
    ),
  };
}

type Page = Omit<Listing, "usage" | "filesVersion">;

function listChanges(
  reader: Reader,
  cache: GenerationCache,
  app: AppRow,
  query: ListQuery,
  since: number,
): Page {
  if (since < app.feed_floor) {
    throw new AppFilesError("CHANGES_EXPIRED", { since, oldest: app.feed_floor });
  }
  if (since > app.files_version) {
    throw new AppFilesError("INVALID_ARGUMENT", {
      argument: "changed_since",
      problem: `${since} is later than the app's files_version, ${app.files_version}`,
      next: "Call again with changed_since as a files_version that file_list of this app gave.",
    });
  }
  const generation = query.generation ?? app.files_version;
  const matching = allOf(filterCondition(reader, cache, app, query.filter, "told"), {
    sql: "files_version > ? AND files_version <= ?",
    parameters: [since, generation],
  });
  const rows = reader.all<FileRow>(
    `SELECT id, state, files_version, ${recordColumns} FROM file
     WHERE ${matching.sql} AND files_version > ? ORDER BY files_version LIMIT ?`,
    [...matching.parameters, query.after?.rank ?? 0, query.limit + 1],
  );
  const entries = rows.slice(0, query.limit).map((row): Placed => {
    const position: ListPosition = { group: "file", rank: row.files_version, path: row.path };
    if (row.state === 0) return { entry: { kind: "file", file: toRecord(row) }, position };
    const { path, version, updated_at: deletedAt } = row;
    return { entry: { kind: "deletion", path, version, deletedAt }, position };
  });
  return {
    entries,
    more: rows.length > query.limit,
    total: countRows(reader, cache, app, matching),
    changedSince: 0,
  };
}

function listView(
  reader: Reader,
  cache: GenerationCache,
  app: AppRow,
  query: ListQuery,
  view: FilesView,
): Page {
  const matching = filterCondition(reader, cache, app, query.filter, "current");
  const changedSince = view.sort === "path" ? 0 : countChanged(reader, app, query.generation);
  if (!view.folders) {
    const total = isUnfiltered(query) ? app.count : countRows(reader, cache, app, matching);
    return { ...filesAfter(reader, matching, query, view, query.after, query.limit), total, changedSince };
  }

  const level = rollUp(reader, cache, app, matching, query.filter.prefix ?? "");
  const folders = foldersAfter(level.folders, query, view);
  const room = query.limit - folders.length;
  const after = query.after?.group === "file" ? query.after : undefined;
  const files =
    room > 0
      ? filesAfter(reader, allOf(matching, level.direct), query, view, after, room)
      : { entries: [], more: level.files > 0 };
  const foldersLeft = folders.length > query.limit;
  return {
    entries: [...folders.slice(0, query.limit), ...files.entries],
    more: foldersLeft || files.more,
    total: level.folders.length + level.files,
    changedSince,
  };
}

function isUnfiltered({ filter }: ListQuery): boolean {
  return Object.values(filter).every((condition) => condition === undefined || condition === "");
}

const sortColumns: Readonly<Record<SortKey, readonly string[]>> = {
  path: ["path"],
  size: ["size", "path"],
  // The order of an app's changes is that of their times.
  updated: ["files_version"],
};

function filesAfter(
  reader: Reader,
  matching: Condition,
  query: ListQuery,
  view: FilesView,
  after: ListPosition | undefined,
  limit: number,
): Pick<Page, "entries" | "more"> {
  const columns = sortColumns[view.sort];
  const [direction, beyond] = view.order === "asc" ? ["ASC", ">"] : ["DESC", "<"];
  const conditions = [matching];
  if (after !== undefined) {
    const values = { path: [after.path], size: [after.rank, after.path], updated: [after.rank] }[view.sort];
    const places = columns.map(() => "?").join(", ");
    conditions.push({ sql: `(${columns.join(", ")}) ${beyond} (${places})`, parameters: values });
  }
  // What changed since the first page may have had another place then, and have been shown there.
  if (view.sort !== "path" && query.generation !== undefined) {
    conditions.push({ sql: "files_version <= ?", parameters: [query.generation] });
  }
  // Said again for the index, which holds the deleted files that are still told of as well.
  if (view.sort === "updated") conditions.push({ sql: "state < 2", parameters: [] });
  const where = allOf(...conditions);
  const order = columns.map((column) => `${column} ${direction}`).join(", ");
  const rows = reader.all<FileRow>(
    `SELECT id, state, files_version, ${recordColumns} FROM file WHERE ${where.sql} ORDER BY ${order} LIMIT ?`,
    [...where.parameters, limit + 1],
  );
  const entries = rows.slice(0, limit).map((row): Placed => {
    const rank = view.sort === "path" ? 0 : view.sort === "size" ? row.size : row.files_version;
    return {
      entry: { kind: "file", file: toRecord(row) },
      position: { group: "file", rank, path: row.path },
    };
  });
  return { entries, more: rows.length > limit };
}

interface FolderRow {
  readonly path: string;
  readonly count: number;
  readonly bytes: number;
}

/** One level below a prefix: its folders with what is in them, and the files that lie there. */
interface Level {
  readonly folders: readonly FolderRow[];
  readonly files: number;
  /** Which files lie directly at this level. */
  readonly direct: Condition;
}

function rollUp(
  reader: Reader,
  cache: GenerationCache,
  app: AppRow,
  matching: Condition,
  prefix: string,
): Level {
  const rest = "substr(path, length(?) + 1)";
  const slash = `instr(${rest}, '/')`;
  return cache.get(
    cacheKey("level", app, matching, prefix),
    () => {
      const folders = reader.all<FolderRow>(
        `SELECT substr(path, 1, length(?) + ${slash}) AS path, count(*) AS count, sum(size) AS bytes
         FROM file WHERE ${matching.sql} AND ${slash} > 0 GROUP BY 1 ORDER BY 1`,
        [prefix, prefix, ...matching.parameters, prefix],
      );
      const files = reader.get<{ count: number; ids: string }>(
        `SELECT count(*) AS count, json_group_array(id) AS ids FROM file WHERE ${matching.sql} AND ${slash} = 0`,
        [...matching.parameters, prefix],
      );
      const count = files?.count ?? 0;
      const inFolders = folders.reduce((sum, folder) => sum + folder.count, 0);
      // Where most files lie in folders, walking past those would make every page dear.
      const direct =
        count * 4 < inFolders
          ? { sql: "id IN (SELECT value FROM json_each(?))", parameters: [files?.ids ?? "[]"] }
          : { sql: `${slash} = 0`, parameters: [prefix] };
      return { folders, files: count, direct };
    },
    (level) => level.folders.length * 40 + String(level.direct.parameters[0]).length,
  );
}

/** Up to one folder more than the page holds. */
function foldersAfter(folders: readonly FolderRow[], query: ListQuery, view: FilesView): Placed[] {
  const { after } = query;
  if (after?.group === "file") return [];
  const sign = view.order === "asc" ? 1 : -1;
  const ordered = view.order === "asc" ? folders : folders.toReversed();
  const first =
    after === undefined ? 0 : ordered.findIndex((folder) => comparePaths(folder.path, after.path) * sign > 0);
  if (first < 0) return [];
  return ordered.slice(first, first + query.limit + 1).map(({ path, count, bytes }) => ({
    entry: { kind: "folder", path, count, bytes },
    position: { group: "folder", rank: 0, path },
  }));
}

function countRows(reader: Reader, cache: GenerationCache, app: AppRow, matching: Condition): number {
  return cache.get(
    cacheKey("count", app, matching),
    () =>
      reader.get<{ n: number }>(`SELECT count(*) AS n FROM file WHERE ${matching.sql}`, matching.parameters)
        ?.n ?? 0,
    () => 0,
  );
}

function countChanged(reader: Reader, app: AppRow, generation: number | undefined): number {
  if (generation === undefined || generation >= app.files_version) return 0;
  return (
    reader.get<{ n: number }>(
      "SELECT count(*) AS n FROM file WHERE app = ? AND files_version > ? AND state < 2",
      [app.id, generation],
    )?.n ?? 0
  );
}

/** Match sets can be long, and two of them differ only where their pattern does: the text stands for itself. */
function cacheKey(kind: string, app: AppRow, { sql, parameters }: Condition, more = ""): string {
  return JSON.stringify([kind, app.id, app.files_version, sql, parameters, more]);
}
