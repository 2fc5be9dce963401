import type { Reader, Writer } from "@mcp-file-servers/sqlite";
import {
  mostAtOnce,
  mostNamed,
  type RemovalReceipt,
  type RemovalSummary,
  type RemoveAllRequest,
  type RemoveRequest,
} from "../../domain/file-changes.ts";
import { checkCount } from "../../domain/plan-change.ts";
import { checkExpectedVersion } from "../../domain/plan-write.ts";
import { applyRemovals, type CurrentRow, toRemovalReceipt } from "./apply-removal.ts";
import { allOf, startsWith } from "./conditions.ts";
import { findContent } from "./open-content.ts";
import { readApp, readFile } from "./read-state.ts";
import { recordColumns, toRecord } from "./rows.ts";

export function removeFile(
  writer: Writer,
  { app, path, expectedVersion, client }: RemoveRequest,
  time: number,
): RemovalReceipt {
  const row = readApp(writer, app);
  const file = readFile(writer, row, path);
  if (row === undefined || file?.state !== 0) {
    findContent(writer, app, path, undefined);
    throw new Error("a file that is not there was found");
  }
  const record = toRecord(file);
  checkExpectedVersion(path, expectedVersion, record);
  return toRemovalReceipt(
    app,
    record,
    applyRemovals(writer, row, [file], { action: "delete", client }, time),
  );
}

export function removePrefix(writer: Writer, request: RemoveAllRequest, time: number): RemovalSummary {
  const { app, prefix, client } = request;
  const row = readApp(writer, app);
  const files = row === undefined ? [] : currentFilesOf(writer, row.id, prefix);
  checkCount(request, files.length > mostAtOnce ? countFilesOf(writer, row?.id ?? 0, prefix) : files.length);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const filesVersion =
    row === undefined
      ? 0
      : applyRemovals(writer, row, files, { action: "delete", client }, time).filesVersion;
  const named = files.slice(0, mostNamed).map(({ path, version, size }) => ({ path, version, size }));
  return { app, count: files.length, bytes, files: named, filesVersion };
}

function currentFilesOf(reader: Reader, app: number, prefix: string): CurrentRow[] {
  const where = allOf({ sql: "app = ? AND state = 0", parameters: [app] }, ...startsWith(prefix));
  return reader.all<CurrentRow>(
    `SELECT id, ${recordColumns} FROM file WHERE ${where.sql} ORDER BY path LIMIT ?`,
    [...where.parameters, mostAtOnce + 1],
  );
}

function countFilesOf(reader: Reader, app: number, prefix: string): number {
  const where = allOf({ sql: "app = ? AND state = 0", parameters: [app] }, ...startsWith(prefix));
  return (
    reader.get<{ n: number }>(`SELECT count(*) AS n FROM file WHERE ${where.sql}`, where.parameters)?.n ?? 0
  );
}
