import type { JsonObject } from "../../domain/json.ts";
import type { Link } from "../../domain/links/link.ts";
import type { ParseError } from "../../domain/note/frontmatter.ts";
import type { NoteHeading } from "../../domain/note/indexed-note.ts";
import type { NoteBlock } from "../../domain/note/note-blocks.ts";

/** What `content.facts` holds as JSON: of a note all but `mimeType`, of an attachment that alone. */
export interface StoredFacts {
  readonly title?: string;
  readonly frontmatter?: JsonObject;
  readonly tags?: readonly string[];
  readonly contentChars?: number;
  readonly etag?: string;
  readonly parseError?: ParseError;
  readonly mimeType?: string;
}

/** What is kept of a file. Times are milliseconds since 1970. */
export interface FileRecord {
  readonly path: string;
  readonly kind: "note" | "attachment";
  readonly stamp: string;
  readonly modified: number;
  readonly created: number;
  readonly firstSeen: number;
  readonly size: number;
  readonly facts: StoredFacts;
  readonly aliases: readonly string[];
  readonly headings: readonly NoteHeading[];
  readonly blocks: readonly NoteBlock[];
  readonly links: readonly Link[];
  readonly body: string;
}
