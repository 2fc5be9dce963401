import { AppFilesError, type LimitName } from "./errors.ts";

/** The most that is stored. Bytes of an app are those of its current files; of the store, what lies on the disk. */
export type Limits = Readonly<Record<LimitName, number>>;

const mebibyte = 1024 ** 2;
const gibibyte = 1024 ** 3;

export const defaultLimits: Limits = {
  file_bytes: 250 * mebibyte,
  app_bytes: 5 * gibibyte,
  app_files: 100_000,
  store_bytes: 50 * gibibyte,
  store_files: 1_000_000,
};

/** How long versions that were replaced, and deleted files, are kept. */
export interface Retention {
  /** Versions of one path, the current one included. */
  readonly versions: number;
  /** Days since a version was replaced or deleted. */
  readonly days: number;
}

export const defaultRetention: Retention = { versions: 10, days: 30 };

/** Days that the receipt of a `command_id` is kept. */
export const receiptDays = 30;

/** Decoded bytes that one call may bring, and that a file may have to be appended to. */
export const callBytes = 5 * mebibyte;
export const appendBytes = 16 * mebibyte;

/** @throws AppFilesError LIMIT_EXCEEDED */
export function checkLimit(limits: Limits, limit: LimitName, wanted: number): void {
  if (wanted > limits[limit]) {
    throw new AppFilesError("LIMIT_EXCEEDED", { limit, allowed: limits[limit], wanted });
  }
}
