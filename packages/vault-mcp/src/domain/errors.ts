import type { WriteFailureDetails } from "./writing/write-failures.ts";

/** What each failure tells about itself; the texts are in tools/failures.ts. Paths are as the caller wrote them. */
export interface FailureDetails extends WriteFailureDetails {
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
