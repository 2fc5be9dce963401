import type { Reader } from "@mcp-file-servers/sqlite";
import { AppFilesError } from "../../domain/errors.ts";
import type { HistoryPage, HistoryQuery } from "../../domain/file-past.ts";
import type { Action } from "../../domain/file-record.ts";
import { nearestPaths } from "./open-content.ts";
import { readApp, readFile } from "./read-state.ts";

interface ChangeRow {
  readonly version: number;
  readonly change: number;
  readonly action: Action;
  readonly size: number;
  readonly mime: string;
  readonly sha256: string | null;
  readonly at: number;
  readonly client: string;
  readonly is_current: number;
}

const changes = `
  SELECT version, files_version AS change, action, size, mime, sha256, updated_at AS at, client, 1 AS is_current
  FROM file WHERE id = ? AND state = 0
  UNION ALL SELECT version, change, action, size, mime, sha256, at, client, 0 FROM version WHERE file = ?`;

/** @throws AppFilesError NOT_FOUND for a path of which nothing is kept. */
export function readHistory(reader: Reader, { app: name, path, before, limit }: HistoryQuery): HistoryPage {
  const app = readApp(reader, name);
  const file = readFile(reader, app, path);
  const id = file?.id ?? 0;
  const total = reader.get<{ n: number }>(`SELECT count(*) AS n FROM (${changes})`, [id, id])?.n ?? 0;
  if (total === 0) {
    throw new AppFilesError("NOT_FOUND", { app: name, path, nearest: nearestPaths(reader, app, path) });
  }
  const rows = reader.all<ChangeRow>(
    `SELECT * FROM (${changes}) WHERE change < ? ORDER BY change DESC LIMIT ?`,
    [id, id, before ?? Number.MAX_SAFE_INTEGER, limit + 1],
  );
  const entries = rows.slice(0, limit).map(({ change, sha256, is_current, ...row }) => ({
    ...row,
    filesVersion: change,
    sha256: sha256 ?? undefined,
    isDeletion: sha256 === null,
    isCurrent: is_current === 1,
  }));
  return { entries, more: rows.length > limit, total };
}
