import type { Reader, Writer } from "@mcp-file-servers/sqlite";
import { AppFilesError } from "../../domain/errors.ts";
import { checkLimit, type Limits } from "../../domain/limits.ts";
import {
  checkPart,
  mostUploads,
  type NewPart,
  type Upload,
  type UploadPart,
  uploadIdleMs,
  uploadYieldMs,
} from "../../domain/upload.ts";
import type { BlobFolder } from "../blob-folder.ts";
import { storeContent } from "./apply-write.ts";
import { makeRoom, physicalBytes, releaseBlob } from "./history.ts";

interface UploadRow {
  readonly id: string;
  readonly app: string;
  readonly size: number;
  readonly bytes: number;
  readonly created_at: number;
  readonly used_at: number;
}

const toUpload = ({ created_at: createdAt, used_at: usedAt, ...row }: UploadRow): Upload => ({
  ...row,
  createdAt,
  usedAt,
});

export function findUpload(reader: Reader, id: string, now: number): Upload | undefined {
  const row = reader.get<UploadRow>(
    "SELECT id, app, size, bytes, created_at, used_at FROM upload WHERE id = ? AND used_at >= ?",
    [id, now - uploadIdleMs],
  );
  return row && toUpload(row);
}

export function listParts(reader: Reader, id: string): UploadPart[] {
  return reader.all<UploadPart>("SELECT seq, size, sha256 FROM upload_part WHERE upload = ? ORDER BY seq", [
    id,
  ]);
}

export function beginUpload(
  writer: Writer,
  {
    id,
    app,
    size,
    now,
  }: { readonly id: string; readonly app: string; readonly size: number; readonly now: number },
  limits: Limits,
): Upload {
  checkLimit(limits, "file_bytes", size);
  checkLimit(limits, "store_bytes", size);
  dropIdleUploads(writer, now);
  const open = writer.all<{ id: string; used_at: number }>(
    "SELECT id, used_at FROM upload WHERE app = ? ORDER BY used_at, id",
    [app],
  );
  const [idlest] = open;
  if (idlest !== undefined && open.length >= mostUploads) {
    if (idlest.used_at > now - uploadYieldMs) {
      throw new AppFilesError("TOO_MANY_UPLOADS", { app, open: open.length });
    }
    dropUpload(writer, idlest.id);
  }
  writer.run("INSERT INTO upload (id, app, size, bytes, created_at, used_at) VALUES (?, ?, ?, 0, ?, ?)", [
    id,
    app,
    size,
    now,
    now,
  ]);
  return { id, app, size, bytes: 0, createdAt: now, usedAt: now };
}

/** Stores a chunk whose file, if it is a large one, was written before. */
export function putPart(
  writer: Writer,
  blobs: BlobFolder,
  { id, part, now }: { readonly id: string; readonly part: NewPart; readonly now: number },
  limits: Limits,
): { readonly upload: Upload; readonly isNew: boolean } {
  const upload = findUpload(writer, id, now);
  if (upload === undefined) throw new AppFilesError("UPLOAD_NOT_FOUND", { uploadId: id });
  const { seq, bytes, facts } = part;
  const known = writer.get<UploadPart>(
    "SELECT seq, size, sha256 FROM upload_part WHERE upload = ? AND seq = ?",
    [id, seq],
  );
  checkPart(upload, known, part);
  const added = storeContent(writer, blobs, facts, bytes);
  const isNew = known === undefined;
  if (isNew) {
    writer.run("INSERT INTO upload_part (upload, seq, size, sha256) VALUES (?, ?, ?, ?)", [
      id,
      seq,
      facts.size,
      facts.sha256,
    ]);
  } else releaseBlob(writer, facts.sha256);
  const received = upload.bytes + (isNew ? facts.size : 0);
  writer.run("UPDATE upload SET bytes = ?, used_at = ? WHERE id = ?", [received, now, id]);
  if (added > 0) {
    writer.run("UPDATE store SET physical_bytes = physical_bytes + ?", [added]);
    if (physicalBytes(writer) > limits.store_bytes) makeRoom(writer, limits.store_bytes);
  }
  return { upload: { ...upload, bytes: received, usedAt: now }, isNew };
}

/** The bytes of a chunk that lies in the database; undefined for one in a file. */
export function inlinePart(reader: Reader, sha256: string): Uint8Array | undefined {
  const row = reader.get<{ data: Uint8Array | null }>("SELECT data FROM blob WHERE sha256 = ?", [sha256]);
  return row?.data ?? undefined;
}

/** Ends an upload; false where there is none. */
export function dropUpload(writer: Writer, id: string): boolean {
  for (const { sha256 } of listParts(writer, id)) releaseBlob(writer, sha256);
  writer.run("DELETE FROM upload_part WHERE upload = ?", [id]);
  return writer.run("DELETE FROM upload WHERE id = ?", [id]) > 0;
}

/** Ends some of the uploads that nobody uses; returns whether there may be more. */
export function dropIdleUploads(writer: Writer, now: number): boolean {
  const rows = writer.all<{ id: string }>(
    "SELECT id FROM upload WHERE used_at < ? ORDER BY used_at LIMIT 4",
    [now - uploadIdleMs],
  );
  for (const { id } of rows) dropUpload(writer, id);
  return rows.length === 4;
}
