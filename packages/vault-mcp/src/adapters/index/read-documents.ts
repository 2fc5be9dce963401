import type { Reader } from "@mcp-file-servers/sqlite";
import type { Document } from "../../domain/document.ts";
import type { StoredFacts } from "./file-record.ts";

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

export function toDocument(row: DocumentRow): Document {
  const {
    title = "",
    frontmatter = {},
    tags = [],
    contentChars = 0,
    ...facts
  }: StoredFacts = JSON.parse(row.facts);
  const file = {
    path: row.path,
    modifiedAt: row.modified,
    createdAt: row.created,
    sizeBytes: row.size,
    changedIn: row.changed_in,
  };
  if (row.kind === 1) return { ...file, kind: "attachment", mimeType: facts.mimeType ?? "" };
  const { etag, parseError } = facts;
  return { ...file, kind: "note", title, frontmatter, tags, contentChars, etag, parseError };
}
