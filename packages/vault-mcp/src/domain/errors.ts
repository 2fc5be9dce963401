import type { Miss } from "./writing/explain-miss.ts";

/** What each failure tells about itself; the texts are in tools/failures.ts. Paths are as the caller wrote them. */
export interface FailureDetails {
  /** `nearest` are vault-relative paths, the likeliest first. */
  NOT_FOUND: { path: string; nearest: readonly string[] };
  /** `reason` continues "the path …". */
  PATH_OUTSIDE_VAULT: { path: string; reason: string };
  PATH_HIDDEN: { path: string };
  /** Something that is no file, such as a folder; `what` names it with its article. */
  NOT_A_FILE: { path: string; what: string };
  /** A file whose kind is not among the served ones; `served` are extensions without a dot. */
  KIND_NOT_SERVED: { path: string; served: readonly string[] };
  SECTION_NOT_FOUND: { path: string; section: string; nearest: readonly string[] };
  TOO_LARGE: { path: string; bytes: number; limitBytes: number };
  /** `limit` names the bound that was exceeded. */
  PATTERN_TOO_COSTLY: { limit: string };
  /** `path` is empty where the vault itself cannot be read. */
  VAULT_UNREADABLE: { path: string; reason: string };
  /** `next` is one imperative sentence. */
  INVALID_ARGUMENT: { argument: string; problem: string; next: string };
  INVALID_CURSOR: { reason: string };
  /** An existing file would be replaced without a proof that it was read. */
  ETAG_REQUIRED: { path: string };
  /** `current` is the tag of what is there, marked as partial. */
  ETAG_MISMATCH: { path: string; current: string };
  READ_INCOMPLETE: { path: string };
  /** `edit` counts from 0; `miss` tells what is nearest. */
  EDIT_NOT_FOUND: { path: string; edit: number; miss: Miss | undefined };
  EDIT_AMBIGUOUS: { path: string; edit: number; count: number; lines: readonly number[] };
  EDITS_OVERLAP: { path: string; edits: readonly [number, number] };
  /** The outline are the headings with their marks, or the block ids. */
  SECTION_UNKNOWN: { path: string; section: string; outline: readonly string[] };
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
  /** What could not be written: `path` is as it was. */
  NOT_WRITTEN: { path: string; reason: string; retry: boolean };
  /** Another process held the vault's lock all the time. */
  VAULT_BUSY: { seconds: number };
}

/** A failure that the caller is meant to read. */
export class VaultError<Code extends keyof FailureDetails = keyof FailureDetails> extends Error {
  override readonly name = "VaultError";
  readonly code: Code;
  readonly details: FailureDetails[Code];

  constructor(code: Code, details: FailureDetails[Code], options?: ErrorOptions) {
    super(code, options);
    this.code = code;
    this.details = details;
  }
}
