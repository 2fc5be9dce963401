import { AppFilesError, type CurrentState } from "./errors.ts";
import type { FileRecord, Usage, WriteReceipt } from "./file-record.ts";
import { checkLimit, type Limits, type Retention } from "./limits.ts";

/** The state that decides over a write, all of it read in the transaction that writes. */
export interface WriteState {
  /** The current version of the path. */
  readonly current: FileRecord | undefined;
  /** The highest version that the path ever had; 0 for a new one. */
  readonly lastVersion: number;
  /** Another current path that this one cannot exist beside. */
  readonly collision:
    | { readonly path: string; readonly kind: "case" | "inside-file" | "is-folder" }
    | undefined;
  readonly usage: Usage;
  readonly filesVersion: number;
  /** When the app was last changed; 0 for a new one. */
  readonly lastChangeAt: number;
  /** Current files of all apps. */
  readonly storeFiles: number;
}

/** A write as it is to be carried out. */
export interface WritePlan {
  readonly receipt: WriteReceipt;
  /** The app's usage after it, before history is given up. */
  readonly usage: Usage;
  /** Versions up to this one leave the history. */
  readonly forgetThrough: number;
}

/** What is to be written. */
export interface NewVersion {
  readonly app: string;
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly mime?: string | undefined;
  readonly detectedMime: string;
  readonly expectedVersion?: number | undefined;
}

/**
 * Decides over a write: what it comes to, or why it is refused. The rules that every store shares.
 *
 * @param now Milliseconds since 1970.
 * @throws AppFilesError VERSION_CONFLICT, PATH_COLLISION, LIMIT_EXCEEDED
 */
export function planWrite(
  request: NewVersion,
  state: WriteState,
  { limits, retention }: { readonly limits: Limits; readonly retention: Retention },
  now: number,
): WritePlan {
  const { current, collision, usage } = state;
  checkExpectedVersion(request.path, request.expectedVersion, current);
  if (collision !== undefined) {
    const { path: other, kind } = collision;
    throw new AppFilesError("PATH_COLLISION", { path: request.path, other, kind });
  }
  checkLimit(limits, "file_bytes", request.size);
  const bytes = usage.bytes - (current?.size ?? 0) + request.size;
  const added = current === undefined ? 1 : 0;
  checkLimit(limits, "app_bytes", bytes);
  checkLimit(limits, "app_files", usage.count + added);
  checkLimit(limits, "store_files", state.storeFiles + added);
  // A file larger than the whole store could never be held, whatever history is given up.
  checkLimit(limits, "store_bytes", request.size);
  const version = state.lastVersion + 1;
  // Never before the change before it, even when the clock was set back.
  const updatedAt = Math.max(now, state.lastChangeAt);
  return {
    receipt: {
      app: request.app,
      path: request.path,
      size: request.size,
      mime: request.mime ?? current?.mime ?? request.detectedMime,
      sha256: request.sha256,
      version,
      createdAt: current?.createdAt ?? updatedAt,
      updatedAt,
      filesVersion: state.filesVersion + 1,
    },
    usage: {
      bytes,
      count: usage.count + added,
      historyBytes: usage.historyBytes + (current?.size ?? 0),
    },
    forgetThrough: version - retention.versions,
  };
}

/** @throws AppFilesError VERSION_CONFLICT with the current state. */
export function checkExpectedVersion(
  path: string,
  expected: number | undefined,
  current: FileRecord | undefined,
): void {
  if (expected === undefined || expected === (current?.version ?? 0)) return;
  throw new AppFilesError("VERSION_CONFLICT", { path, expected, current: stateOf(current) });
}

function stateOf(record: FileRecord | undefined): CurrentState | undefined {
  return record && { version: record.version, size: record.size, sha256: record.sha256 };
}
