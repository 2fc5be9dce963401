import type { Writer } from "@mcp-file-servers/sqlite";
import type { RemovalReceipt } from "../../domain/file-record.ts";
import type { RemoveRequest } from "../../domain/store.ts";
import { keepCurrent } from "./apply-write.ts";
import type { Found } from "./read-state.ts";

/** Deletes the current file that was found: its versions become history, the deletion is told of in the feed. */
export function applyRemoval(
  writer: Writer,
  found: Found,
  { app, path, client }: RemoveRequest,
  time: number,
): RemovalReceipt {
  const { current, usage } = found.state;
  if (found.app === undefined || found.file === undefined || current === undefined) {
    throw new Error("only a current file can be deleted");
  }
  const now = Math.max(time, found.state.lastChangeAt);
  const filesVersion = found.state.filesVersion + 1;
  writer.run(
    `UPDATE app SET files_version = ?, count = count - 1, bytes = ?, history_bytes = ?, updated_at = ? WHERE id = ?`,
    [filesVersion, usage.bytes - current.size, usage.historyBytes + current.size, now, found.app.id],
  );
  writer.run("UPDATE store SET files = files - 1");
  keepCurrent(writer, found.file.id, now);
  // A deletion has no content, takes no number and is history from the start.
  writer.run(
    `INSERT INTO version (file, change, version, action, size, mime, sha256, created_at, at, replaced_at, client)
     VALUES (?, ?, ?, 'delete', 0, ?, NULL, ?, ?, ?, ?)`,
    [found.file.id, filesVersion, current.version, current.mime, current.createdAt, now, now, client],
  );
  writer.run("UPDATE file SET state = 1, files_version = ?, updated_at = ? WHERE id = ?", [
    filesVersion,
    now,
    found.file.id,
  ]);
  return { app, path, version: current.version, deletedAt: now, filesVersion };
}
