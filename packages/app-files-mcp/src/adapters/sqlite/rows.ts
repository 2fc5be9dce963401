import type { ContentFacts } from "../../domain/content.ts";
import type { FileRecord, Usage } from "../../domain/file-record.ts";

export interface AppRow {
  readonly id: number;
  readonly files_version: number;
  readonly count: number;
  readonly bytes: number;
  readonly history_bytes: number;
  readonly feed_floor: number;
  readonly updated_at: number;
}

export interface RecordRow {
  readonly path: string;
  readonly version: number;
  readonly size: number;
  readonly mime: string;
  readonly sha256: string;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface FileRow extends RecordRow {
  readonly id: number;
  /** 0 current, 1 deleted, 2 deleted and forgotten. */
  readonly state: number;
  readonly files_version: number;
}

export interface BlobRow {
  readonly size: number;
  readonly is_text: number;
  readonly newlines: number;
  readonly ends_with_newline: number;
  readonly blocks: Uint8Array;
  readonly data: Uint8Array | null;
}

export const recordColumns = "path, version, size, mime, sha256, created_at, updated_at";

export function toRecord(row: RecordRow): FileRecord {
  return {
    path: row.path,
    size: row.size,
    mime: row.mime,
    sha256: row.sha256,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function toUsage(row: AppRow | undefined): Usage {
  return { bytes: row?.bytes ?? 0, count: row?.count ?? 0, historyBytes: row?.history_bytes ?? 0 };
}

export function toFacts(sha256: string, row: BlobRow): ContentFacts {
  return {
    sha256,
    size: row.size,
    isText: row.is_text === 1,
    newlines: row.newlines,
    endsWithNewline: row.ends_with_newline === 1,
    blocks: row.blocks,
  };
}
