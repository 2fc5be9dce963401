import type { Reader, Writer } from "@mcp-file-servers/sqlite";
import { AppFilesError } from "../../domain/errors.ts";

interface OldVersion {
  readonly file: number;
  readonly change: number;
  readonly sha256: string | null;
  readonly size: number;
}

/** Old versions that are dropped in one statement's worth. */
const step = 100;

/** Drops the old versions of one file up to a version number. */
export function forgetThrough(writer: Writer, file: number, version: number): void {
  const old = writer.all<OldVersion>(
    `SELECT file, change, sha256, size FROM version
     WHERE file = ? AND version <= ?`,
    [file, version],
  );
  for (const each of old) dropVersion(writer, each);
}

/** Drops old versions that were replaced before a time; returns whether there may be more. */
export function forgetBefore(writer: Writer, time: number): boolean {
  const old = writer.all<OldVersion>(
    `SELECT file, change, sha256, size FROM version
     WHERE replaced_at < ? ORDER BY replaced_at LIMIT ?`,
    [time, step],
  );
  for (const each of old) dropVersion(writer, each);
  return old.length === step;
}

/**
 * Gives up history, oldest first, until the store holds no more than it may.
 *
 * @throws AppFilesError LIMIT_EXCEEDED when that is not enough.
 */
export function makeRoom(writer: Writer, storeBytes: number): void {
  let physical = physicalBytes(writer);
  const history = writer.get<{ bytes: number }>("SELECT coalesce(sum(history_bytes), 0) AS bytes FROM app");
  // Whatever is given up frees no more than that, so there is no need to try.
  if (physical - (history?.bytes ?? 0) > storeBytes) refuse(storeBytes, physical);
  while (physical > storeBytes) {
    const old = writer.all<OldVersion>(
      "SELECT file, change, sha256, size FROM version ORDER BY replaced_at, file, change LIMIT ?",
      [step],
    );
    if (old.length === 0) refuse(storeBytes, physical);
    for (const each of old) {
      dropVersion(writer, each);
      physical = physicalBytes(writer);
      if (physical <= storeBytes) break;
    }
  }
}

function refuse(storeBytes: number, wanted: number): never {
  throw new AppFilesError("LIMIT_EXCEEDED", { limit: "store_bytes", allowed: storeBytes, wanted });
}

export function physicalBytes(reader: Reader): number {
  return reader.get<{ bytes: number }>("SELECT physical_bytes AS bytes FROM store")?.bytes ?? 0;
}

function dropVersion(writer: Writer, { file, change, sha256, size }: OldVersion): void {
  writer.run("DELETE FROM version WHERE file = ? AND change = ?", [file, change]);
  writer.run(
    "UPDATE app SET history_bytes = history_bytes - ? WHERE id = (SELECT app FROM file WHERE id = ?)",
    [size, file],
  );
  if (sha256 !== null) releaseBlob(writer, sha256);
}

/** One less that needs a content; the last one's file, if it has one, is left to the collector. */
export function releaseBlob(writer: Writer, sha256: string): void {
  const blob = writer.get<{ refs: number; size: number; in_file: number }>(
    "UPDATE blob SET refs = refs - 1 WHERE sha256 = ? RETURNING refs, size, data IS NULL AS in_file",
    [sha256],
  );
  if (blob === undefined || blob.refs > 0) return;
  writer.run("DELETE FROM blob WHERE sha256 = ?", [sha256]);
  writer.run("UPDATE store SET physical_bytes = physical_bytes - ?", [blob.size]);
  if (blob.in_file === 1) writer.run("INSERT OR IGNORE INTO trash (sha256) VALUES (?)", [sha256]);
}
