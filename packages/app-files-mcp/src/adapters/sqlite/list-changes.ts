import { AppFilesError } from "../../domain/errors.ts";
import type { ListPosition, ListQuery } from "../../domain/listing.ts";
import { type AppSnapshot, countRows, type Page, type Placed } from "./app-snapshot.ts";
import { allOf, filterCondition } from "./conditions.ts";
import { type FileRow, recordColumns, toRecord } from "./rows.ts";

/**
 * One page of what changed after a files_version.
 *
 * @throws AppFilesError CHANGES_EXPIRED, INVALID_ARGUMENT
 */
export function listChanges(snapshot: AppSnapshot, query: ListQuery, since: number): Page {
  const { reader, cache, app } = snapshot;
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
    total: countRows(snapshot, matching),
    changedSince: 0,
  };
}
