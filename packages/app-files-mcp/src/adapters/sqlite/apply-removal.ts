import type { Writer } from "@mcp-file-servers/sqlite";
import type { RemovalReceipt } from "../../domain/file-changes.ts";
import type { Action, FileRecord } from "../../domain/file-record.ts";
import { keepCurrent } from "./apply-write.ts";
import type { AppRow, RecordRow } from "./rows.ts";

/** Why a file goes, and by whose call. */
export interface RemovalCause {
  readonly action: Extract<Action, "delete" | "move" | "restore">;
  readonly client: string;
}

/** A current file with its row. */
export type CurrentRow = RecordRow & { readonly id: number };

/** Deletes current files of an app: their versions become history, the deletions are told of in the feed, in order. */
export function applyRemovals(
  writer: Writer,
  app: AppRow,
  files: readonly CurrentRow[],
  { action, client }: RemovalCause,
  time: number,
): { readonly now: number; readonly filesVersion: number } {
  const now = Math.max(time, app.updated_at);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  let filesVersion = app.files_version;
  for (const file of files) {
    filesVersion += 1;
    keepCurrent(writer, file.id, now);
    // A deletion has no content, takes no number and is history from the start.
    writer.run(
      `INSERT INTO version (file, change, version, action, size, mime, sha256, created_at, at, replaced_at, client)
       VALUES (?, ?, ?, ?, 0, ?, NULL, ?, ?, ?, ?)`,
      [file.id, filesVersion, file.version, action, file.mime, file.created_at, now, now, client],
    );
    writer.run("UPDATE file SET state = 1, files_version = ?, updated_at = ? WHERE id = ?", [
      filesVersion,
      now,
      file.id,
    ]);
  }
  writer.run(
    `UPDATE app SET files_version = ?, count = count - ?, bytes = bytes - ?, history_bytes = history_bytes + ?,
       updated_at = ? WHERE id = ?`,
    [filesVersion, files.length, bytes, bytes, files.length > 0 ? now : app.updated_at, app.id],
  );
  writer.run("UPDATE store SET files = files - ?", [files.length]);
  return { now, filesVersion };
}

/** The receipt of one deletion. */
export function toRemovalReceipt(
  app: string,
  { path, version, size }: FileRecord,
  { now, filesVersion }: { readonly now: number; readonly filesVersion: number },
): RemovalReceipt {
  return { app, path, version, size, deletedAt: now, filesVersion };
}
