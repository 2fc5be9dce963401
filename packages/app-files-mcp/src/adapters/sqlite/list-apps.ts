import type { Reader } from "@mcp-file-servers/sqlite";
import type { AppsPage, AppsQuery } from "../../domain/file-past.ts";
import { type AppRow, toUsage } from "./rows.ts";

/** A page of the apps that have files, by name; which of them are allowed is no matter of SQL. */
export function listApps(reader: Reader, { allows, prefix, after = "", limit }: AppsQuery): AppsPage {
  const names = reader
    .all<{ name: string }>("SELECT name FROM app WHERE count > 0 AND name >= ? AND name < ? ORDER BY name", [
      prefix,
      `${prefix}\u{10ffff}`,
    ])
    .map(({ name }) => name)
    .filter(allows);
  const first = after === "" ? 0 : names.findIndex((name) => name > after);
  const page = first < 0 ? [] : names.slice(first, first + limit);
  const rows = reader.all<AppRow & { name: string }>(
    `SELECT id, name, files_version, count, bytes, history_bytes, feed_floor, updated_at FROM app
     WHERE name IN (SELECT value FROM json_each(?)) ORDER BY name`,
    [JSON.stringify(page)],
  );
  return {
    apps: rows.map((row) => ({
      app: row.name,
      usage: toUsage(row),
      filesVersion: row.files_version,
      updatedAt: row.updated_at,
    })),
    more: first >= 0 && first + limit < names.length,
    total: names.length,
  };
}
