import type { Database, Writer } from "@mcp-file-servers/sqlite";
import { type Retention, receiptDays } from "../../domain/limits.ts";
import type { CallOptions } from "../../domain/store.ts";
import type { BlobFolder } from "../blob-folder.ts";
import { forgetBefore } from "./history.ts";
import { dropOldLinks } from "./links.ts";
import { dropIdleUploads } from "./uploads.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Rows and files that one transaction looks at: no transaction holds up others for long. */
const step = 100;

/** Transactions of one kind in a pass. */
const stepsInPass = 20;

/** One bounded pass: old history, deletions and receipts are forgotten, orphaned files are collected. */
export async function maintainStore(
  database: Database,
  blobs: BlobFolder,
  {
    retention,
    now,
    shards,
  }: { readonly retention: Retention; readonly now: number; readonly shards: readonly number[] },
  options: CallOptions,
): Promise<void> {
  const cutoff = now - retention.days * dayMs;
  await repeat(() => database.write((writer) => forgetBefore(writer, cutoff), options));
  await repeat(() => database.write((writer) => forgetDeletions(writer, cutoff), options));
  await repeat(() => database.write((writer) => forgetReceipts(writer, now - receiptDays * dayMs), options));
  await repeat(() => database.write((writer) => dropIdleUploads(writer, now), options));
  await database.write((writer) => dropOldLinks(writer, now), options);
  await repeat(() => database.write((writer) => emptyTrash(writer, blobs), options));
  for (const shard of shards) {
    const names = await blobs.namesIn(shard);
    for (let at = 0; at < names.length; at += step) {
      await collect(database, blobs, names.slice(at, at + step), options);
    }
  }
  await blobs.sweepTemporary(now);
}

/**
 * Removes the files of those contents that nothing refers to. It looks and removes inside one write transaction, so
 * that no writer can refer to a content between the two. Returns how many were removed.
 */
export async function collect(
  database: Database,
  blobs: BlobFolder,
  names: readonly string[],
  options: CallOptions,
): Promise<number> {
  const known = await database.read((reader) => names.filter((name) => isOrphan(reader, name)), options);
  if (known.length === 0) return 0;
  return database.write((writer) => {
    const orphans = known.filter((name) => isOrphan(writer, name));
    for (const name of orphans) blobs.removeSync(name);
    return orphans.length;
  }, options);
}

function isOrphan(reader: Pick<Writer, "get">, sha256: string): boolean {
  const row = reader.get<{ in_file: number }>("SELECT data IS NULL AS in_file FROM blob WHERE sha256 = ?", [
    sha256,
  ]);
  return row?.in_file !== 1;
}

async function repeat(transaction: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < stepsInPass; i++) if (!(await transaction())) return;
}

/** Deleted files whose history is over are no longer told of; their numbers are kept. */
function forgetDeletions(writer: Writer, cutoff: number): boolean {
  const rows = writer.all<{ id: number; app: number; files_version: number }>(
    `SELECT id, app, files_version FROM file
     WHERE state = 1 AND updated_at < ? AND NOT EXISTS (SELECT 1 FROM version WHERE file = file.id)
     ORDER BY updated_at LIMIT ?`,
    [cutoff, step],
  );
  for (const { id, app, files_version } of rows) {
    writer.run("UPDATE file SET state = 2 WHERE id = ?", [id]);
    writer.run("UPDATE app SET feed_floor = max(feed_floor, ?) WHERE id = ?", [files_version, app]);
  }
  return rows.length === step;
}

function forgetReceipts(writer: Writer, cutoff: number): boolean {
  const forgotten = writer.run(
    "DELETE FROM receipt WHERE command_id IN (SELECT command_id FROM receipt WHERE at < ? LIMIT ?)",
    [cutoff, step],
  );
  return forgotten === step;
}

/** Removes files of contents that were given up; returns whether there may be more. */
export function emptyTrash(writer: Writer, blobs: BlobFolder): boolean {
  const rows = writer.all<{ sha256: string }>("SELECT sha256 FROM trash LIMIT ?", [step]);
  for (const { sha256 } of rows) {
    if (isOrphan(writer, sha256)) blobs.removeSync(sha256);
    writer.run("DELETE FROM trash WHERE sha256 = ?", [sha256]);
  }
  return rows.length === step;
}
