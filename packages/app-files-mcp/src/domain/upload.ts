import type { ContentFacts } from "./content.ts";
import { AppFilesError } from "./errors.ts";
import type { CallOptions } from "./store.ts";

/** Milliseconds after which an upload that nobody uses is over. */
export const uploadIdleMs = 24 * 60 * 60 * 1000;

/** Uploads that an app may have open, and how long one must be idle to make way for a new one. */
export const mostUploads = 16;
export const uploadYieldMs = 60 * 60 * 1000;

/** The highest number of a chunk; they count from 0. */
export const lastSeq = 9_999;

/** A content that comes in chunks. */
export interface Upload {
  readonly id: string;
  readonly app: string;
  /** Bytes that were announced. */
  readonly size: number;
  /** Bytes that are there. */
  readonly bytes: number;
  readonly createdAt: number;
  /** When it was begun or got its last chunk. */
  readonly usedAt: number;
}

export interface UploadPart {
  readonly seq: number;
  readonly size: number;
  readonly sha256: string;
}

export interface NewPart {
  readonly seq: number;
  readonly bytes: Uint8Array;
  readonly facts: ContentFacts;
}

/**
 * Uploads, each durable with every chunk, for all processes on a store. One that was idle for `uploadIdleMs` is not
 * there any more.
 */
export interface UploadStore {
  /**
   * Begins an upload. Where an app has as many as it may, the longest idle one makes way if it may.
   *
   * @throws AppFilesError TOO_MANY_UPLOADS, LIMIT_EXCEEDED (`size` is over the limit of a file or of the store)
   */
  begin(app: string, size: number, options?: CallOptions): Promise<Upload>;
  find(id: string, options?: CallOptions): Promise<Upload | undefined>;
  /** Its chunks in order. */
  parts(id: string, options?: CallOptions): Promise<readonly UploadPart[]>;
  /**
   * Stores a chunk; one that is there with the same bytes is stored over itself, which heals it.
   *
   * @throws AppFilesError UPLOAD_NOT_FOUND, CHUNK_CONFLICT, UPLOAD_TOO_LARGE, LIMIT_EXCEEDED
   */
  put(
    id: string,
    part: NewPart,
    options?: CallOptions,
  ): Promise<{ readonly upload: Upload; readonly isNew: boolean }>;
  /**
   * Bytes of a chunk as they lie there, not verified, fewer at its end; undefined where they are missing. They may be
   * put into `into`, of `length` bytes or more.
   */
  readPart(
    id: string,
    part: UploadPart,
    window: { readonly offset: number; readonly length: number; readonly into?: Uint8Array },
    options?: CallOptions,
  ): Promise<Uint8Array | undefined>;
  /** Ends an upload and gives its chunks up; false where there is none. */
  discard(id: string, options?: CallOptions): Promise<boolean>;
}

/** @throws AppFilesError CHUNK_CONFLICT, UPLOAD_TOO_LARGE; the rules that every store shares. */
export function checkPart(upload: Upload, known: UploadPart | undefined, { seq, facts }: NewPart): void {
  if (known !== undefined) {
    if (known.sha256 === facts.sha256) return;
    throw new AppFilesError("CHUNK_CONFLICT", { seq, size: known.size, sha256: known.sha256 });
  }
  const bytes = upload.bytes + facts.size;
  if (bytes > upload.size) throw new AppFilesError("UPLOAD_TOO_LARGE", { bytes, size: upload.size });
}

/** Runs of numbers that follow each other, as first and last. */
export function toRanges(numbers: readonly number[]): { readonly first: number; readonly last: number }[] {
  const ranges: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range !== undefined && range.last + 1 === number) range.last = number;
    else ranges.push({ first: number, last: number });
  }
  return ranges;
}

/** Gaps before the last chunk, at most `most` numbers. */
export function missingParts(parts: readonly UploadPart[], most = 10): number[] {
  const missing: number[] = [];
  let next = 0;
  for (const { seq } of parts) {
    for (; next < seq && missing.length < most; next++) missing.push(next);
    next = seq + 1;
  }
  return missing;
}

/** @throws AppFilesError UPLOAD_INCOMPLETE unless the chunks are numbered without gaps and have `size` bytes in all. */
export function checkComplete(parts: readonly UploadPart[], size: number): void {
  const received = parts.reduce((sum, part) => sum + part.size, 0);
  const missing = missingParts(parts);
  if (missing.length === 0 && received === size) return;
  // Without gaps but too short, the next chunk is what is missing.
  if (missing.length === 0 && received < size) missing.push(parts.length);
  throw new AppFilesError("UPLOAD_INCOMPLETE", { missing, received, size });
}
