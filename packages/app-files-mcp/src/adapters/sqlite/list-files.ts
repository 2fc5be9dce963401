import type { Reader } from "@mcp-file-servers/sqlite";
import type { Listing, ListPosition, ListQuery, SortKey } from "../../domain/listing.ts";
import { nearestNames } from "../../domain/nearest.ts";
import { type AppSnapshot, countRows, type FilesView, type Page, type Placed } from "./app-snapshot.ts";
import { allOf, type Condition, filterCondition } from "./conditions.ts";
import type { GenerationCache } from "./generation-cache.ts";
import { listChanges } from "./list-changes.ts";
import { readApp } from "./read-state.ts";
import { foldersAfter, rollUp } from "./roll-up.ts";
import { type AppRow, type FileRow, recordColumns, toRecord, toUsage } from "./rows.ts";

/** One page, on the snapshot of `reader`. */
export function listFiles(reader: Reader, cache: GenerationCache, query: ListQuery): Listing {
  const app = readApp(reader, query.app);
  if (app === undefined) return emptyListing(reader, query.app);
  const snapshot = { reader, cache, app };
  const page =
    query.view.kind === "changes"
      ? listChanges(snapshot, query, query.view.since)
      : listView(snapshot, query, query.view);
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

function listView(snapshot: AppSnapshot, query: ListQuery, view: FilesView): Page {
  const { reader, cache, app } = snapshot;
  const matching = filterCondition(reader, cache, app, query.filter, "current");
  const changedSince = view.sort === "path" ? 0 : countChanged(reader, app, query.generation);
  if (!view.folders) {
    const total = isUnfiltered(query) ? app.count : countRows(snapshot, matching);
    return { ...filesAfter(reader, matching, query, view, query.after, query.limit), total, changedSince };
  }

  const level = rollUp(snapshot, matching, query.filter.prefix ?? "");
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

function countChanged(reader: Reader, app: AppRow, generation: number | undefined): number {
  if (generation === undefined || generation >= app.files_version) return 0;
  return (
    reader.get<{ n: number }>(
      "SELECT count(*) AS n FROM file WHERE app = ? AND files_version > ? AND state < 2",
      [app.id, generation],
    )?.n ?? 0
  );
}
