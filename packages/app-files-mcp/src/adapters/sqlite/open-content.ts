import type { Reader } from "@mcp-file-servers/sqlite";
import type { ContentFacts } from "../../domain/content.ts";
import { AppFilesError } from "../../domain/errors.ts";
import type { FileRecord } from "../../domain/file-record.ts";
import { nearestNames, nearestShown } from "../../domain/nearest.ts";
import { startsWith } from "./conditions.ts";
import { readApp, readFile } from "./read-state.ts";
import { type AppRow, type BlobRow, type FileRow, type RecordRow, toFacts, toRecord } from "./rows.ts";

/** A version with what is known of its content; `data` is undefined where the content lies in a file. */
export interface FoundContent {
  readonly record: FileRecord;
  readonly facts: ContentFacts;
  readonly data: Uint8Array | undefined;
}

/** @throws AppFilesError NOT_FOUND, VERSION_GONE, CORRUPT */
export function findContent(
  reader: Reader,
  appName: string,
  path: string,
  version: number | undefined,
): FoundContent {
  const app = readApp(reader, appName);
  const file = readFile(reader, app, path);
  if (app === undefined || file === undefined) {
    throw new AppFilesError("NOT_FOUND", { app: appName, path, nearest: nearestPaths(reader, app, path) });
  }
  const record =
    version === undefined ? currentOf(reader, app, appName, file) : versionOf(reader, appName, file, version);
  const blob = reader.get<BlobRow>(
    "SELECT size, is_text, newlines, ends_with_newline, blocks, data FROM blob WHERE sha256 = ?",
    [record.sha256],
  );
  if (blob === undefined) throw new AppFilesError("CORRUPT", { path, version: record.version });
  return { record, facts: toFacts(record.sha256, blob), data: blob.data ?? undefined };
}

function currentOf(reader: Reader, app: AppRow, appName: string, file: FileRow): FileRecord {
  if (file.state === 0) return toRecord(file);
  throw new AppFilesError("NOT_FOUND", {
    app: appName,
    path: file.path,
    nearest: nearestPaths(reader, app, file.path),
    deletedVersion: isKept(reader, file) ? file.version : undefined,
  });
}

function isKept(reader: Reader, file: FileRow): boolean {
  const sql = "SELECT 1 AS kept FROM version WHERE file = ? AND version = ? AND sha256 IS NOT NULL";
  return reader.get(sql, [file.id, file.version]) !== undefined;
}

function versionOf(reader: Reader, app: string, file: FileRow, version: number): FileRecord {
  if (file.state === 0 && file.version === version) return toRecord(file);
  if (version > file.version) {
    const asked = { version, latest: file.version };
    throw new AppFilesError("NOT_FOUND", { app, path: file.path, nearest: [], asked });
  }
  const kept = reader.get<Omit<RecordRow, "path">>(
    `SELECT version, size, mime, sha256, created_at, at AS updated_at FROM version
     WHERE file = ? AND version = ? AND sha256 IS NOT NULL`,
    [file.id, version],
  );
  if (kept !== undefined) return toRecord({ ...kept, path: file.path });
  const oldest = reader.get<{ version: number | null }>(
    "SELECT min(version) AS version FROM version WHERE file = ? AND sha256 IS NOT NULL",
    [file.id],
  );
  throw new AppFilesError("VERSION_GONE", {
    path: file.path,
    version,
    oldest: oldest?.version ?? undefined,
    current: file.state === 0 ? file.version : undefined,
  });
}

/** What lies in it, if it is a folder; else among the files of the same folder; where it has none, among all. */
export function nearestPaths(reader: Reader, app: AppRow | undefined, path: string): string[] {
  if (app === undefined) return [];
  const inside = pathsFrom(reader, app, `${path}/`, nearestShown);
  if (inside.length > 0) return inside;
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  for (const prefix of folder === "" ? [""] : [folder, ""]) {
    const nearest = nearestNames(path, pathsFrom(reader, app, prefix, 1000));
    if (nearest.length > 0) return nearest;
  }
  return [];
}

function pathsFrom(reader: Reader, app: AppRow, prefix: string, limit: number): string[] {
  const [from, to] = startsWith(prefix);
  const rows = reader.all<{ path: string }>(
    `SELECT path FROM file WHERE app = ? AND state = 0
     ${from ? `AND ${from.sql}` : ""} ${to ? `AND ${to.sql}` : ""} ORDER BY path LIMIT ?`,
    [app.id, ...(from?.parameters ?? []), ...(to?.parameters ?? []), limit],
  );
  return rows.map((row) => row.path);
}
