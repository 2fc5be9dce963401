import type { Writer } from "@mcp-file-servers/sqlite";
import type { ContentFacts } from "../../domain/content.ts";
import { foldPath } from "../../domain/file-path.ts";
import type { Action } from "../../domain/file-record.ts";
import type { WritePlan } from "../../domain/plan-write.ts";
import type { BlobFolder } from "../blob-folder.ts";
import { forgetThrough } from "./history.ts";
import type { Found } from "./read-state.ts";

/** Contents up to this size lie in the database, larger ones in files. */
export const inlineBytes = 32 * 1024;

/** Carries out a planned write; the content is stored already, or is stored by `storeContent`. */
export function applyWrite(
  writer: Writer,
  plan: WritePlan,
  found: Found,
  by: { readonly action: Action; readonly client: string },
): void {
  const { receipt, usage } = plan;
  const now = receipt.updatedAt;
  const app = found.app?.id ?? insertApp(writer, receipt.app);
  writer.run(
    "UPDATE app SET files_version = ?, count = ?, bytes = ?, history_bytes = ?, updated_at = ? WHERE id = ?",
    [receipt.filesVersion, usage.count, usage.bytes, usage.historyBytes, now, app],
  );
  if (found.state.current === undefined) writer.run("UPDATE store SET files = files + 1");

  const { path, version, size, mime, sha256, createdAt } = receipt;
  const values = [version, receipt.filesVersion, size, mime, sha256, createdAt, now] as const;
  let file = found.file?.id;
  if (file === undefined) {
    file = inserted(
      writer.get<{ id: number }>(
        `INSERT INTO file (app, path, folded, state, version, files_version, size, mime, sha256, created_at, updated_at)
         VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
        [app, path, foldPath(path), ...values],
      ),
    );
  } else {
    writer.run("UPDATE version SET replaced_at = ? WHERE file = ? AND replaced_at IS NULL", [now, file]);
    writer.run(
      `UPDATE file SET state = 0, version = ?, files_version = ?, size = ?, mime = ?, sha256 = ?, created_at = ?,
         updated_at = ? WHERE id = ?`,
      [...values, file],
    );
  }
  writer.run(
    `INSERT INTO version (file, change, version, action, size, mime, sha256, created_at, at, client)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [file, receipt.filesVersion, version, by.action, size, mime, sha256, createdAt, now, by.client],
  );
  if (plan.forgetThrough > 0) forgetThrough(writer, file, plan.forgetThrough);
}

/**
 * Makes a content part of the store, or heals it where it is one already. A large one's file was written before;
 * the collector may have taken it since, and then it is put back here, where the collector cannot be at work.
 */
export function storeContent(
  writer: Writer,
  blobs: BlobFolder,
  facts: ContentFacts,
  bytes: Uint8Array,
): void {
  const isInline = facts.size <= inlineBytes;
  if (!isInline && !blobs.hasSync(facts.sha256, facts.size)) blobs.putSync(facts.sha256, bytes);
  const known = writer.get("SELECT 1 AS known FROM blob WHERE sha256 = ?", [facts.sha256]) !== undefined;
  const data = isInline ? bytes : null;
  if (known) {
    writer.run("UPDATE blob SET blocks = ?, data = ? WHERE sha256 = ?", [facts.blocks, data, facts.sha256]);
    return;
  }
  writer.run(
    `INSERT INTO blob (sha256, size, is_text, newlines, ends_with_newline, blocks, data)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [facts.sha256, facts.size, facts.isText, facts.newlines, facts.endsWithNewline, facts.blocks, data],
  );
  writer.run("UPDATE store SET physical_bytes = physical_bytes + ?", [facts.size]);
}

function insertApp(writer: Writer, name: string): number {
  return inserted(
    writer.get<{ id: number }>(
      `INSERT INTO app (name, files_version, count, bytes, history_bytes, feed_floor, updated_at)
       VALUES (?, 0, 0, 0, 0, 0, 0) RETURNING id`,
      [name],
    ),
  );
}

function inserted(row: { readonly id: number } | undefined): number {
  if (row === undefined) throw new Error("an insert returned no row");
  return row.id;
}
