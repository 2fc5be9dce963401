import { folderOf, titleOf } from "./document.ts";
import { partialEtag } from "./etag.ts";
import type { Json, JsonObject } from "./json.ts";
import type { ListedDocument } from "./listing.ts";
import type { OkfFacts } from "./okf.ts";
import { shortenFrontmatter } from "./shorten.ts";

/** A document as a listing shows it. */
export interface ListEntry {
  path: string;
  title: string;
  folder: string;
  frontmatter?: Record<string, Json>;
  modified_at: string;
  created_at?: string;
  size_bytes: number;
  content_chars?: number;
  tags?: string[];
  kind: "note" | "attachment";
  mime_type?: string;
  etag?: string;
  okf?: { type?: string; status: string; stale: boolean; trust_tier: string };
  parse_error?: { line: number; message: string };
}

export function timeText(milliseconds: number): string {
  return new Date(Math.floor(milliseconds)).toISOString();
}

/** The entry of a document, and whether a value of its frontmatter was shortened. */
export function toListEntry(
  { document, okf }: ListedDocument,
  includeFrontmatter: boolean,
): { entry: ListEntry; shortened: boolean } {
  const { path, modifiedAt, sizeBytes } = document;
  const file = { path, title: titleOf(document), folder: folderOf(path) };
  const times = { modified_at: timeText(modifiedAt), size_bytes: sizeBytes };
  if (document.kind === "attachment") {
    return {
      entry: { ...file, ...times, kind: "attachment", mime_type: document.mimeType },
      shortened: false,
    };
  }
  const { createdAt, contentChars, tags, etag, parseError } = document;
  const { frontmatter, shortened } = shortenFrontmatter(document.frontmatter);
  const entry: ListEntry = {
    ...file,
    ...(includeFrontmatter && { frontmatter: frontmatter as JsonObject }),
    modified_at: times.modified_at,
    created_at: timeText(createdAt),
    size_bytes: sizeBytes,
    content_chars: contentChars,
    tags: [...tags],
    kind: "note",
    ...(etag !== undefined && { etag: partialEtag(etag) }),
    ...(okf !== undefined && { okf: toOkfEntry(okf) }),
    ...(parseError !== undefined && { parse_error: { ...parseError } }),
  };
  return { entry, shortened: shortened && includeFrontmatter };
}

export function toOkfEntry({ type, status, stale, trustTier }: OkfFacts): NonNullable<ListEntry["okf"]> {
  return { ...(type !== undefined && { type }), status, stale, trust_tier: trustTier };
}
