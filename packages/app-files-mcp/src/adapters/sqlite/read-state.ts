import type { Reader } from "@mcp-file-servers/sqlite";
import { foldersOf, foldPath } from "../../domain/file-path.ts";
import type { WriteState } from "../../domain/plan-write.ts";
import { type AppRow, type FileRow, recordColumns, toRecord, toUsage } from "./rows.ts";

/** What a write finds: the rows that it goes on from, and the state that its plan needs. */
export interface Found {
  readonly app: AppRow | undefined;
  readonly file: FileRow | undefined;
  readonly state: WriteState;
  /** Bytes that the whole store holds, older versions included, equal contents once. */
  readonly physicalBytes: number;
}

export function readApp(reader: Reader, name: string): AppRow | undefined {
  return reader.get<AppRow>(
    "SELECT id, files_version, count, bytes, history_bytes, feed_floor, updated_at FROM app WHERE name = ?",
    [name],
  );
}

/** The row of a path, also of a deleted one. */
export function readFile(reader: Reader, app: AppRow | undefined, path: string): FileRow | undefined {
  if (app === undefined) return undefined;
  return reader.get<FileRow>(
    `SELECT id, state, files_version, ${recordColumns} FROM file WHERE app = ? AND folded = ? AND path = ?`,
    [app.id, foldPath(path), path],
  );
}

export function readWriteState(reader: Reader, appName: string, path: string): Found {
  const app = readApp(reader, appName);
  const file = readFile(reader, app, path);
  const current = file?.state === 0 ? toRecord(file) : undefined;
  const store = reader.get<{ files: number; physical_bytes: number }>(
    "SELECT files, physical_bytes FROM store",
  );
  return {
    app,
    file,
    state: {
      current,
      lastVersion: file?.version ?? 0,
      // What exists already collides with nothing.
      collision: current === undefined && app !== undefined ? findCollision(reader, app.id, path) : undefined,
      usage: toUsage(app),
      filesVersion: app?.files_version ?? 0,
      lastChangeAt: app?.updated_at ?? 0,
      storeFiles: store?.files ?? 0,
    },
    physicalBytes: store?.physical_bytes ?? 0,
  };
}

/** One query for the three kinds, since every new file asks it. */
function findCollision(reader: Reader, app: number, path: string): WriteState["collision"] {
  const folded = foldPath(path);
  const current = "FROM file WHERE app = ? AND state = 0 AND";
  return reader.get<{ path: string; kind: "case" | "inside-file" | "is-folder" }>(
    // "0" is the character after "/".
    `SELECT path, 'case' AS kind ${current} folded = ?
     UNION ALL SELECT path, 'inside-file' ${current} folded IN (SELECT value FROM json_each(?))
     UNION ALL SELECT path, 'is-folder' ${current} folded > ? AND folded < ? LIMIT 1`,
    [app, folded, app, JSON.stringify(foldersOf(folded)), app, `${folded}/`, `${folded}0`],
  );
}
