import { createHash } from "node:crypto";
import type { OpenedFile } from "../reading/open-readable.ts";
import type { RemoteFiles } from "../remote-files.ts";

/** The most that is copied of a file whose size is not known, and the bytes of one request there. */
const unsizedBytes = 16 * 1024 * 1024;
const unsizedStep = 32 * 1024;

/** The bytes of an open file from a position on. Where its size means nothing, up to its end and one request at a time. */
export function pieces(
  { file, size }: OpenedFile,
  start: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  return size === undefined ? unsizedPieces(file, start, signal) : file.stream(start, size, signal);
}

async function* unsizedPieces(
  file: OpenedFile["file"],
  start: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  for (let at = start; at < unsizedBytes; ) {
    const piece = await file.read(at, unsizedStep, signal);
    if (piece.length > 0) yield piece;
    if (piece.length < unsizedStep) return;
    at += piece.length;
  }
}

/** SHA-256 of the first `size` bytes of an open file, in hex. */
export async function hashRemote(opened: OpenedFile, size: number, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of pieces({ ...opened, size }, 0, signal)) hash.update(piece);
  return hash.digest("hex");
}

/** SHA-256 of what a path holds, up to one byte more than expected. */
export async function hashAt(
  files: RemoteFiles,
  realPath: string,
  size: number,
  signal: AbortSignal,
): Promise<string> {
  const file = await files.open(realPath, "read", signal);
  const hash = createHash("sha256");
  try {
    for await (const piece of file.stream(0, size + 1, signal)) hash.update(piece);
    return hash.digest("hex");
  } finally {
    file.release();
  }
}
