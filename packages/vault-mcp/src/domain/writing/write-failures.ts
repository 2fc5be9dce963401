import type { Miss } from "./explain-miss.ts";

/** What the failures of writers tell about themselves. Paths are as the caller wrote them. */
export interface WriteFailureDetails {
  /** An existing file would be replaced without a proof that it was read. */
  ETAG_REQUIRED: { path: string };
  /** `current` is the tag of what is there, marked as partial. */
  ETAG_MISMATCH: { path: string; current: string };
  READ_INCOMPLETE: { path: string };
  /** `edit` counts from 0; `miss` tells what is nearest. */
  EDIT_NOT_FOUND: { path: string; edit: number; miss: Miss | undefined };
  EDIT_AMBIGUOUS: { path: string; edit: number; count: number; lines: readonly number[] };
  EDITS_OVERLAP: { path: string; edits: readonly [number, number] };
  /** A section's name that fits several; `lines` are their first lines, from 1. */
  SECTION_AMBIGUOUS: { path: string; section: string; lines: readonly number[] };
  /** Frontmatter that does not parse, before the write or because of it. */
  FRONTMATTER_BROKEN: { path: string; line: number; reason: string; before: boolean };
  /** Frontmatter that is right but cannot be changed in place; `reason` is a clause of its own. */
  FRONTMATTER_NOT_EDITABLE: { path: string; reason: string };
  /** A file that is not UTF-8, which no edit of its text would leave whole. */
  NOT_TEXT: { path: string; line: number };
  /** `reason` continues "the name …". */
  NAME_NOT_ALLOWED: { path: string; name: string; reason: string };
  ALREADY_EXISTS: { path: string; found: string };
  /** `versions` are those that are kept, the newest first. */
  VERSION_NOT_FOUND: { path: string; version: string; versions: readonly string[] };
  /** What could not be written is as it was. `path` is empty where the reason lies with no file; `reason` is a clause. */
  NOT_WRITTEN: { path: string; reason: string; retry: boolean };
}
