import type { Database, Reader, Writer } from "@mcp-file-servers/sqlite";
import type { CheckOptions, DamagedVersion } from "../../domain/check.ts";
import type { ContentFacts } from "../../domain/content.ts";
import { createContentDescriber } from "../../domain/content-describer.ts";
import type { BlobFolder } from "../blob-folder.ts";
import { type BlobRow, toFacts } from "./rows.ts";

type NamedBlob = BlobRow & { readonly sha256: string };

const rowsAtOnce = 100;

const pieceBytes = 1024 * 1024;

export interface ContentsReport {
  contents: number;
  bytes: number;
  /** Contents whose bytes are not there or not what was written. */
  readonly damaged: string[];
  /** Contents that are whole, but of which the database knew something wrong. */
  readonly misdescribed: ContentFacts[];
}

/** Reads every content of the store and compares it with its hash and with what is known of it. */
export async function checkContents(
  database: Database,
  blobs: BlobFolder,
  { signal, progress }: CheckOptions,
): Promise<ContentsReport> {
  const report: ContentsReport = { contents: 0, bytes: 0, damaged: [], misdescribed: [] };
  const total = await database.read((reader) => sumOf(reader, "SELECT sum(size) AS n FROM blob"));
  let after = "";
  for (;;) {
    const rows = await database.read((reader) =>
      reader.all<NamedBlob>(
        `SELECT sha256, size, is_text, newlines, ends_with_newline, blocks, data FROM blob
         WHERE sha256 > ? ORDER BY sha256 LIMIT ?`,
        [after, rowsAtOnce],
      ),
    );
    for (const row of rows) {
      signal?.throwIfAborted();
      const facts = await describeStored(row, blobs, signal);
      const known = toFacts(row.sha256, row);
      const isDamaged = facts?.sha256 !== row.sha256;
      // A server that runs may have given it up meanwhile.
      if (isDamaged && (await database.read((reader) => isKnown(reader, row.sha256)))) {
        report.damaged.push(row.sha256);
      }
      if (!isDamaged && !areSame(facts, known)) report.misdescribed.push(facts);
      report.contents += 1;
      report.bytes += row.size;
      progress?.(report.bytes, total);
    }
    const last = rows.at(-1);
    if (last === undefined) return report;
    after = last.sha256;
  }
}

/** The facts of the bytes that lie there; undefined where there are none. */
async function describeStored(
  { sha256, data }: NamedBlob,
  blobs: BlobFolder,
  signal: AbortSignal | undefined,
): Promise<ContentFacts | undefined> {
  const describer = createContentDescriber();
  if (data !== null) describer.add(data);
  else {
    const into = new Uint8Array(pieceBytes);
    for (let offset = 0; ; offset += pieceBytes) {
      signal?.throwIfAborted();
      const piece = await blobs.read(sha256, offset, pieceBytes, into).catch(unreadable);
      if (piece === undefined) return undefined;
      describer.add(piece);
      if (piece.length < pieceBytes) break;
    }
  }
  return describer.finish();
}

/** A disk that cannot read its bytes has lost them. */
function unreadable(error: unknown): undefined {
  if (!(error instanceof Error && "code" in error && error.code === "EIO")) throw error;
}

function areSame(a: ContentFacts, b: ContentFacts): boolean {
  return (
    a.size === b.size &&
    a.isText === b.isText &&
    a.newlines === b.newlines &&
    a.endsWithNewline === b.endsWithNewline &&
    Buffer.from(a.blocks).equals(b.blocks)
  );
}

function isKnown(reader: Reader, sha256: string): boolean {
  return reader.get("SELECT 1 AS known FROM blob WHERE sha256 = ?", [sha256]) !== undefined;
}

export function sumOf(reader: Reader, sql: string): number {
  return reader.get<{ n: number | null }>(sql)?.n ?? 0;
}

/** Writes anew what is known of a content. */
export function describeAnew(writer: Writer, facts: ContentFacts): void {
  const { sha256, size, isText, newlines, endsWithNewline, blocks } = facts;
  writer.run(
    "UPDATE blob SET size = ?, is_text = ?, newlines = ?, ends_with_newline = ?, blocks = ? WHERE sha256 = ?",
    [size, isText, newlines, endsWithNewline, blocks, sha256],
  );
}

/** The versions that a content is, by app and path. */
export function versionsOf(reader: Reader, sha256: string): DamagedVersion[] {
  const rows = reader.all<{ app: string; path: string; version: number; is_current: number }>(
    `SELECT app.name AS app, path, file.version AS version, 1 AS is_current
     FROM file JOIN app ON app.id = file.app WHERE state = 0 AND file.sha256 = ?
     UNION ALL SELECT app.name, path, version.version, 0
     FROM version JOIN file ON file.id = version.file JOIN app ON app.id = file.app WHERE version.sha256 = ?
     ORDER BY 1, 2, 3`,
    [sha256, sha256],
  );
  return rows.map(({ is_current, ...row }) => ({ ...row, isCurrent: is_current === 1 }));
}

export function chunksOf(reader: Reader, sha256: string): { upload: string; seq: number }[] {
  return reader.all("SELECT upload, seq FROM upload_part WHERE sha256 = ? ORDER BY upload, seq", [sha256]);
}
