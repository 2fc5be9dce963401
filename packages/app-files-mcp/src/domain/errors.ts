import type { LocalProblem } from "./local-files.ts";

/** The current state of a file, as far as a conflict tells it. */
export interface CurrentState {
  readonly version: number;
  readonly size: number;
  readonly sha256: string;
}

/** Why the store cannot serve: `busy` and `full` pass, the others need a person. */
export type StoreProblem = "busy" | "full" | "denied" | "damaged" | "newer" | "no-engine" | "io";

/** Which limit a write would exceed; the keys of `--limits`. */
export type LimitName = "file_bytes" | "app_bytes" | "app_files" | "store_bytes" | "store_files";

/** What each failure tells about itself. Texts are the tools' matter. */
export interface FailureDetails {
  INVALID_ARGUMENT: { argument: string; problem: string; next: string };
  INVALID_APP: { argument: string; app: string; problem: string };
  APP_NOT_ALLOWED: { argument: string; app: string; allowed: readonly string[] };
  INVALID_PATH: { argument: string; path: string; problem: string };
  /** `other` exists; the two cannot both exist, since they could not be exported to one disk. */
  PATH_COLLISION: { path: string; other: string; kind: "case" | "inside-file" | "is-folder" };
  /** `deletedVersion`: the last version of a file that was deleted. `latest`: the newest when a version was asked for. */
  NOT_FOUND: {
    app: string;
    path: string;
    nearest: readonly string[];
    deletedVersion?: number | undefined;
    asked?: { readonly version: number; readonly latest: number } | undefined;
  };
  VERSION_GONE: { path: string; version: number; oldest: number | undefined; current: number | undefined };
  /** `current` is undefined when the file does not exist. */
  VERSION_CONFLICT: { path: string; expected: number; current: CurrentState | undefined };
  /** A copy, move or import that may not replace; `argument` gave the path. */
  FILE_EXISTS: { argument: "path" | "new_path"; path: string; current: CurrentState };
  /** `actual` files are there now. */
  COUNT_CONFLICT: { prefix: string; expected: number; actual: number };
  TOO_MANY_FILES: { prefix: string; count: number; limit: number };
  /** `version` is the current one. */
  NOT_DELETED: { path: string; version: number };
  /** `oldest`: the first files_version as of which all is known. */
  HISTORY_EXPIRED: { path: string; asOf: number; oldest: number };
  /** `edit` counts from 0; `nearLine` (from 1) begins like what was looked for. */
  EDIT_NOT_FOUND: { path: string; edit: number; nearLine: number | undefined; hint: string | undefined };
  EDIT_AMBIGUOUS: { path: string; edit: number; count: number; lines: readonly number[] };
  EDITS_OVERLAP: { path: string; edits: readonly [number, number] };
  SHA256_MISMATCH: { expected: string; actual: string; size: number };
  INVALID_BASE64: { problem: string };
  LIMIT_EXCEEDED: { limit: LimitName; allowed: number; wanted: number };
  COMMAND_ID_REUSED: { commandId: string };
  CHANGES_EXPIRED: { since: number; oldest: number };
  PATTERN_TOO_COSTLY: { pattern: string; limit: string };
  NOT_TEXT: { path: string; mime: string };
  CORRUPT: { path: string; version: number };
  UPLOAD_NOT_FOUND: { uploadId: string };
  /** `open`: uploads of the app, none of them idle for over an hour. */
  TOO_MANY_UPLOADS: { app: string; open: number };
  /** `size` and `sha256` of the bytes that are there. */
  CHUNK_CONFLICT: { seq: number; size: number; sha256: string };
  /** The chunks would have `bytes`, of which `size` were announced. */
  UPLOAD_TOO_LARGE: { bytes: number; size: number };
  /** `missing`: the first chunks that are not there, or damaged; `received` and `size` are bytes. */
  UPLOAD_INCOMPLETE: { missing: readonly number[]; received: number; size: number };
  /** `roots`: where paths may lie, when this one does not. */
  LOCAL_PATH_REFUSED: { path: string; problem: LocalProblem; roots: readonly string[] };
  LOCAL_NOT_FOUND: { path: string };
  LOCAL_EXISTS: { path: string };
  /** `reason`: the system's code, or that the file was changed while it was read. */
  LOCAL_UNAVAILABLE: { path: string; reason: string };
  RESOURCE_TOO_LARGE: { path: string; size: number; limit: number };
  STORE_UNAVAILABLE: { problem: StoreProblem };
}

export type FailureCode = keyof FailureDetails;

/** Any failure that a caller is meant to read. */
export class AppFilesError<Code extends FailureCode = FailureCode> extends Error {
  override readonly name = "AppFilesError";
  readonly code: Code;
  readonly details: FailureDetails[Code];

  constructor(code: Code, details: FailureDetails[Code], options?: ErrorOptions) {
    super(code, options);
    this.code = code;
    this.details = details;
  }
}

/** Whether an error is a failure of this code. */
export function hasCode<Code extends FailureCode>(error: unknown, code: Code): error is AppFilesError<Code> {
  return error instanceof AppFilesError && error.code === code;
}
