import { createHash } from "node:crypto";
import { isQnxFsError, QnxFsError } from "../errors.ts";
import { openReadable } from "../reading/open-readable.ts";
import type { Place } from "../roots.ts";

/** The most that is hashed of a file whose size is not known, and the bytes of one request there. */
const unsizedBytes = 16 * 1024 * 1024;
const unsizedStep = 32 * 1024;

export interface HashedFile {
  readonly realPath: string;
  /** Bytes that were hashed. */
  readonly size: number;
  /** Seconds since 1970 by the target's clock. */
  readonly mtime: number | null;
  /** In hex. */
  readonly sha256: string;
}

/** SHA-256 of what a path leads to. Fails with CHANGED_WHILE_READING where it did not stay the same. */
export async function hashPath(
  place: Place,
  path: string,
  read: (bytes: number) => void,
  signal: AbortSignal,
): Promise<HashedFile> {
  const { file, realPath, attributes, size } = await openReadable(place, path, signal);
  const hash = createHash("sha256");
  let hashed = 0;
  const take = (piece: Buffer): void => {
    hash.update(piece);
    hashed += piece.length;
    read(piece.length);
  };
  try {
    if (size !== undefined) {
      for await (const piece of file.stream(0, size, signal)) take(piece);
      const after = await file.stat(signal);
      if (hashed !== size || after.size !== size || after.mtime !== attributes.mtime) {
        throw new QnxFsError("CHANGED_WHILE_READING", { target: place.target, path });
      }
    } else {
      for (let piece: Buffer | undefined; piece === undefined || piece.length === unsizedStep; ) {
        if (hashed >= unsizedBytes) throw endless(place.target, path);
        piece = await file.read(hashed, unsizedStep, signal);
        take(piece);
      }
    }
    return { realPath, size: hashed, mtime: attributes.mtime ?? null, sha256: hash.digest("hex") };
  } finally {
    file.release();
  }
}

/** A part of a file is not what was asked for. */
function endless(target: string, path: string): QnxFsError {
  const causes = [`it tells no size, and has no end within ${unsizedBytes / 2 ** 20} MiB`];
  return new QnxFsError("REFUSED_BY_TARGET", {
    target,
    path,
    operation: "READ",
    reply: "more bytes",
    causes,
  });
}

/** What became of one of several paths; `late`: there was no time left for it. */
export interface HashOutcome {
  readonly path: string;
  readonly hashed?: HashedFile;
  readonly failure?: QnxFsError;
  readonly late?: true;
}

/** Hashes paths one after the other, each by itself; only a lost connection fails them all. */
export async function hashPaths(
  place: Place,
  paths: readonly string[],
  read: (bytes: number) => void,
  deadline: AbortSignal,
  signal: AbortSignal,
): Promise<readonly HashOutcome[]> {
  const outcomes: HashOutcome[] = [];
  for (const path of paths) outcomes.push(await hashOne(place, path, read, deadline, signal));
  return outcomes;
}

async function hashOne(
  place: Place,
  path: string,
  read: (bytes: number) => void,
  deadline: AbortSignal,
  signal: AbortSignal,
): Promise<HashOutcome> {
  try {
    return { path, hashed: await hashPath(place, path, read, AbortSignal.any([signal, deadline])) };
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.aborted) return { path, late: true };
    if (isQnxFsError(error) && error.code !== "CONNECTION_LOST") return { path, failure: error };
    throw error;
  }
}
