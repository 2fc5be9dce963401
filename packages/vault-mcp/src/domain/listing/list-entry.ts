import { folderOf, titleOf } from "../document.ts";
import { partialEtag } from "../etag.ts";
import type { Json, JsonObject } from "../json.ts";
import type { OkfFacts } from "../okf.ts";
import type { ListedDocument } from "./listing.ts";
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
  const { path } = document;
  const folder = folderOf(path);
  const modified_at = timeText(document.modifiedAt);
  const size_bytes = document.sizeBytes;
  if (document.kind === "attachment") {
    const { mimeType: mime_type } = document;
    const title = titleOf(document);
    return {
      entry: { path, title, folder, modified_at, size_bytes, kind: "attachment", mime_type },
      shortened: false,
    };
  }
  const entry: ListEntry = {
    path,
    title: document.title,
    folder,
    modified_at,
    created_at: timeText(document.createdAt),
    size_bytes,
    content_chars: document.contentChars,
    tags: [...document.tags],
    kind: "note",
  };
  if (document.etag !== undefined) entry.etag = partialEtag(document.etag);
  if (okf !== undefined) entry.okf = toOkfEntry(okf);
  if (document.parseError !== undefined) entry.parse_error = { ...document.parseError };
  if (!includeFrontmatter) return { entry, shortened: false };
  const { frontmatter, shortened } = shortenFrontmatter(document.frontmatter);
  entry.frontmatter = frontmatter as JsonObject;
  return { entry, shortened };
}

export function toOkfEntry({ type, status, stale, trustTier }: OkfFacts): NonNullable<ListEntry["okf"]> {
  return { ...(type !== undefined && { type }), status, stale, trust_tier: trustTier };
}
