import { createHash } from "node:crypto";
import type { OpenedFile } from "../reading/open-readable.ts";
import type { RemoteFiles } from "../remote-files.ts";

/** Bytes of one request to a file whose size is not known. */
const unsizedStep = 32 * 1024;

/**
 * The bytes of an open file from a position on. Where its size means nothing, one request at a time and up to its end,
 * which may never come: who reads sets a limit.
 */
export function pieces(
  { file, size }: OpenedFile,
  start: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  return size === undefined
    ? unsizedPieces(file, start, signal)
    : file.stream(start, size, signal, { reuse: true });
}

async function* unsizedPieces(
  file: OpenedFile["file"],
  start: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  for (let at = start; ; ) {
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
    for await (const piece of file.stream(0, size + 1, signal, { reuse: true })) hash.update(piece);
    return hash.digest("hex");
  } finally {
    file.release();
  }
}
