import type { Writer } from "@mcp-file-servers/sqlite";
import type { ContentFacts } from "../../domain/content.ts";
import { foldPath } from "../../domain/file-path.ts";
import type { Action } from "../../domain/file-record.ts";
import type { WritePlan } from "../../domain/plan-write.ts";
import type { BlobFolder, StagedBlob } from "../blob-folder.ts";
import { forgetThrough } from "./history.ts";
import type { Found } from "./read-state.ts";

/** Contents up to this size lie in the database, larger ones in files. */
export const inlineBytes = 32 * 1024;

/**
 * Carries out a planned write whose content is stored (see `storeContent`). `addedBytes` is what that added to the
 * store.
 */
export function applyWrite(
  writer: Writer,
  plan: WritePlan,
  found: Found,
  by: { readonly action: Action; readonly client: string },
  addedBytes: number,
): void {
  const { receipt, usage } = plan;
  const now = receipt.updatedAt;
  const app = found.app?.id ?? insertApp(writer, receipt.app);
  writer.run(
    "UPDATE app SET files_version = ?, count = ?, bytes = ?, history_bytes = ?, updated_at = ? WHERE id = ?",
    [receipt.filesVersion, usage.count, usage.bytes, usage.historyBytes, now, app],
  );
  const addedFiles = found.state.current === undefined ? 1 : 0;
  if (addedFiles + addedBytes > 0) {
    writer.run("UPDATE store SET files = files + ?, physical_bytes = physical_bytes + ?", [
      addedFiles,
      addedBytes,
    ]);
  }

  const { path, version, size, mime, sha256, createdAt, filesVersion } = receipt;
  const values = [version, filesVersion, size, mime, sha256, createdAt, now, by.action, by.client] as const;
  const file = found.file?.id;
  if (file === undefined) {
    writer.run(
      `INSERT INTO file (app, path, folded, state, version, files_version, size, mime, sha256, created_at,
         updated_at, action, client) VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [app, path, foldPath(path), ...values],
    );
    return;
  }
  if (found.state.current !== undefined) keepCurrent(writer, file, now);
  writer.run(
    `UPDATE file SET state = 0, version = ?, files_version = ?, size = ?, mime = ?, sha256 = ?, created_at = ?,
       updated_at = ?, action = ?, client = ? WHERE id = ?`,
    [...values, file],
  );
  if (plan.forgetThrough > 0) forgetThrough(writer, file, plan.forgetThrough);
}

/** Makes history of the current version of a file. */
export function keepCurrent(writer: Writer, file: number, now: number): void {
  writer.run(
    `INSERT INTO version (file, change, version, action, size, mime, sha256, created_at, at, replaced_at, client)
     SELECT id, files_version, version, action, size, mime, sha256, created_at, updated_at, ?, client
     FROM file WHERE id = ?`,
    [now, file],
  );
}

/**
 * Makes a content part of the store, or heals it where it is one already; counts one more that needs it. A large
 * one's file was written before; the collector may have taken it since, and then it is put back here, where the
 * collector cannot be at work. A staged one, which must be large, is put in its place here.
 *
 * @returns the bytes that this adds to the store.
 */
export function storeContent(
  writer: Writer,
  blobs: BlobFolder,
  facts: ContentFacts,
  source: Uint8Array | StagedBlob,
): number {
  const { sha256, size, isText, newlines, endsWithNewline, blocks } = facts;
  const bytes = source instanceof Uint8Array ? source : undefined;
  if (bytes === undefined) (source as StagedBlob).placeSync(sha256);
  else if (size > inlineBytes && !blobs.hasSync(sha256, size)) blobs.putSync(sha256, bytes);
  const row = writer.get<{ refs: number }>(
    `INSERT INTO blob (sha256, size, refs, is_text, newlines, ends_with_newline, blocks, data)
     VALUES (?, ?, 1, ?, ?, ?, ?, ?)
     ON CONFLICT (sha256) DO UPDATE SET refs = refs + 1, blocks = excluded.blocks, data = excluded.data
     RETURNING refs`,
    [sha256, size, isText, newlines, endsWithNewline, blocks, size <= inlineBytes ? (bytes ?? null) : null],
  );
  return row?.refs === 1 ? size : 0;
}

function insertApp(writer: Writer, name: string): number {
  const row = writer.get<{ id: number }>(
    `INSERT INTO app (name, files_version, count, bytes, history_bytes, feed_floor, updated_at)
     VALUES (?, 0, 0, 0, 0, 0, 0) RETURNING id`,
    [name],
  );
  if (row === undefined) throw new Error("an insert returned no row");
  return row.id;
}
