import type { Reader, Writer } from "@mcp-file-servers/sqlite";
import { AppFilesError } from "../../domain/errors.ts";
import {
  mostAtOnce,
  nameRestored,
  type RestoreAllRequest,
  type RestoredFile,
  type RestoreReceipt,
  type RestoreRequest,
  type RestoreSummary,
} from "../../domain/file-changes.ts";
import { checkAtOnce } from "../../domain/plan-change.ts";
import { checkAsOf, type PathPast, planRevert } from "../../domain/plan-revert.ts";
import { applyRemovals } from "./apply-removal.ts";
import { allOf, startsWith } from "./conditions.ts";
import { findContent } from "./open-content.ts";
import { readApp, readFile, readWriteState } from "./read-state.ts";
import { type AppRow, type FileRow, type RecordRow, recordColumns, toRecord } from "./rows.ts";
import { type Rules, writeContentOf } from "./transfer-file.ts";

export function restoreFile(writer: Writer, rules: Rules, request: RestoreRequest): RestoreReceipt {
  const { app, path, expectedVersion, client } = request;
  const file = readFile(writer, readApp(writer, app), path);
  if (request.version === undefined && file?.state === 0) {
    throw new AppFilesError("NOT_DELETED", { path, version: file.version });
  }
  // Of a path that there never was, the look-up says so.
  const { record } = findContent(writer, app, path, request.version ?? file?.version);
  const found = readWriteState(writer, app, path);
  const taken = { app, path, record, expectedVersion, action: "restore", client } as const;
  return { ...writeContentOf(writer, rules, found, taken), from: { version: record.version } };
}

export function restorePrefix(writer: Writer, rules: Rules, request: RestoreAllRequest): RestoreSummary {
  const { app, prefix, asOf, client } = request;
  const row = readApp(writer, app);
  checkAsOf(asOf, row?.files_version ?? 0);
  if (row === undefined) return { app, restored: 0, deleted: 0, files: [], filesVersion: 0 };
  const { deletions, writes } = planRevert(readPasts(writer, row, prefix, asOf), asOf);

  const rows = deletions.flatMap(({ path }) => readFile(writer, row, path) ?? []);
  let { filesVersion } = applyRemovals(writer, row, rows, { action: "restore", client }, rules.now());
  const deleted = deletions.map(({ path, version }): RestoredFile => ({ path, action: "deleted", version }));
  const restored: RestoredFile[] = [];
  for (const record of writes) {
    const { path } = record;
    const taken = { app, path, record, action: "restore", client } as const;
    const receipt = writeContentOf(writer, rules, readWriteState(writer, app, path), taken);
    filesVersion = receipt.filesVersion;
    restored.push({ path, action: "restored", version: receipt.version, fromVersion: record.version });
  }
  return {
    app,
    restored: writes.length,
    deleted: deletions.length,
    files: nameRestored(deleted, restored),
    filesVersion,
  };
}

/** What is known of the paths that changed since. */
function readPasts(reader: Reader, app: AppRow, prefix: string, asOf: number): PathPast[] {
  // Deletions that are no longer told of matter only where the feed does not reach back so far.
  const state = asOf < app.feed_floor ? "" : " AND state < 2";
  const where = allOf(
    { sql: `app = ? AND files_version > ?${state}`, parameters: [app.id, asOf] },
    ...startsWith(prefix),
  );
  const changed = reader.all<FileRow>(
    `SELECT id, state, files_version, ${recordColumns} FROM file WHERE ${where.sql} ORDER BY path LIMIT ?`,
    [...where.parameters, mostAtOnce + 1],
  );
  checkAtOnce(prefix, changed.length);
  return changed.map((file) => readPast(reader, file, asOf));
}

interface PastRow extends Omit<RecordRow, "path" | "sha256"> {
  readonly change: number;
  readonly sha256: string | null;
}

function readPast(reader: Reader, file: FileRow, asOf: number): PathPast {
  const columns = "change, version, size, mime, sha256, created_at, at AS updated_at";
  const was = reader.get<PastRow>(
    `SELECT ${columns} FROM version WHERE file = ? AND change <= ? ORDER BY change DESC LIMIT 1`,
    [file.id, asOf],
  );
  const oldest = reader.get<PastRow>(
    `SELECT ${columns} FROM version WHERE file = ? ORDER BY change LIMIT 1`,
    [file.id],
  );
  const { path } = file;
  return {
    path,
    current: file.state === 0 ? toRecord(file) : undefined,
    was: was && {
      content: was.sha256 === null ? undefined : toRecord({ ...was, sha256: was.sha256, path }),
    },
    oldest: {
      filesVersion: oldest?.change ?? file.files_version,
      version: oldest?.version ?? file.version,
      isDeletion: oldest === undefined ? file.state !== 0 : oldest.sha256 === null,
    },
  };
}
