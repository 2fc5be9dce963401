import type { Reader } from "@mcp-file-servers/sqlite";
import type { Document } from "../../../domain/document.ts";
import type { StoredFacts } from "../file-record.ts";

interface DocumentRow {
  readonly path: string;
  readonly kind: number;
  readonly modified: number;
  readonly created: number;
  readonly size: number;
  readonly changed_in: number;
  readonly facts: string;
}

/** The documents of some ids, in their order; those that are not there are left out. */
export function readDocuments(reader: Reader, ids: readonly number[]): Document[] {
  const rows = reader.all<DocumentRow>(
    `SELECT document.path AS path, kind, modified, created, size, changed_in, facts
       FROM json_each(?) AS wanted JOIN document ON document.id = wanted.value
       JOIN content ON content.id = wanted.value
      ORDER BY wanted.key`,
    [JSON.stringify(ids)],
  );
  return rows.map(toDocument);
}

/** The fields are written out: spreads would double the time that a page takes. */
export function toDocument(row: DocumentRow): Document {
  const facts: StoredFacts = JSON.parse(row.facts);
  if (row.kind === 1) {
    return {
      path: row.path,
      modifiedAt: row.modified,
      createdAt: row.created,
      sizeBytes: row.size,
      changedIn: row.changed_in,
      kind: "attachment",
      mimeType: facts.mimeType ?? "",
    };
  }
  return {
    path: row.path,
    modifiedAt: row.modified,
    createdAt: row.created,
    sizeBytes: row.size,
    changedIn: row.changed_in,
    kind: "note",
    title: facts.title ?? "",
    frontmatter: facts.frontmatter ?? {},
    tags: facts.tags ?? [],
    contentChars: facts.contentChars ?? 0,
    etag: facts.etag,
    parseError: facts.parseError,
  };
}
