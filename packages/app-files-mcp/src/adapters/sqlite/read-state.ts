import type { Reader } from "@mcp-file-servers/sqlite";
import { foldersOf, foldPath } from "../../domain/file-path.ts";
import type { WriteState } from "../../domain/plan-write.ts";
import { type AppRow, type FileRow, recordColumns, toRecord, toUsage } from "./rows.ts";

/** What a write finds: the rows that it goes on from, and the state that its plan needs. */
export interface Found {
  readonly app: AppRow | undefined;
  readonly file: FileRow | undefined;
  readonly state: WriteState;
}

export function readApp(reader: Reader, name: string): AppRow | undefined {
  return reader.get<AppRow>(
    "SELECT id, files_version, count, bytes, history_bytes, feed_floor FROM app WHERE name = ?",
    [name],
  );
}

/** The row of a path, also of a deleted one. */
export function readFile(reader: Reader, app: AppRow | undefined, path: string): FileRow | undefined {
  if (app === undefined) return undefined;
  return reader.get<FileRow>(
    `SELECT id, state, files_version, ${recordColumns} FROM file WHERE app = ? AND path = ?`,
    [app.id, path],
  );
}

export function readWriteState(reader: Reader, appName: string, path: string): Found {
  const app = readApp(reader, appName);
  const file = readFile(reader, app, path);
  const current = file?.state === 0 ? toRecord(file) : undefined;
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
      storeFiles: reader.get<{ files: number }>("SELECT files FROM store")?.files ?? 0,
    },
  };
}

function findCollision(reader: Reader, app: number, path: string): WriteState["collision"] {
  const folded = foldPath(path);
  const find = (condition: string, parameters: readonly string[]) =>
    reader.get<{ path: string }>(
      `SELECT path FROM file WHERE app = ? AND state = 0 AND ${condition} LIMIT 1`,
      [app, ...parameters],
    )?.path;

  const same = find("folded = ?", [folded]);
  if (same !== undefined) return { path: same, kind: "case" };
  const above = find("folded IN (SELECT value FROM json_each(?))", [JSON.stringify(foldersOf(folded))]);
  if (above !== undefined) return { path: above, kind: "inside-file" };
  // "0" is the character after "/".
  const below = find("folded > ? AND folded < ?", [`${folded}/`, `${folded}0`]);
  return below === undefined ? undefined : { path: below, kind: "is-folder" };
}
