import { QnxFsError } from "../errors.ts";
import type { Place } from "../roots.ts";
import { type OpenedFile, openReadable } from "./open-readable.ts";

/** Which part of a file is wanted. */
export type PartRequest =
  | { readonly kind: "range"; readonly offset: number; readonly length: number }
  | { readonly kind: "head" | "tail"; readonly lines: number };

/** A part of a file. Positions and sizes are bytes. */
export interface FilePart {
  readonly realPath: string;
  /** null where it cannot be told, as in /proc. */
  readonly size: number | null;
  readonly mtime: number | null;
  readonly offset: number;
  readonly bytes: Buffer;
  /** Nothing followed `bytes` when they were read. */
  readonly atEnd: boolean;
  /** There are fewer of the lines asked for, since the part would be too large. */
  readonly cutLines: boolean;
}

/** The most that is read of a file whose size is not known, and the bytes of one request there. */
const unsizedBytes = 1024 * 1024;
const unsizedStep = 32 * 1024;
const unsizedMs = 10_000;

/** Reads a part of a file, `most` bytes of it; what is read from the end is read from there. */
export async function readPart(
  place: Place,
  path: string,
  request: PartRequest,
  most: number,
  signal: AbortSignal,
): Promise<FilePart> {
  const opened = await openReadable(place, path, signal);
  try {
    const { realPath, attributes, size } = opened;
    const seen = await (size === undefined
      ? readUnsized(place, path, opened, signal)
      : readSized(opened, size, request, most, signal));
    const part = choose(seen, request, most);
    return { realPath, size: size ?? null, mtime: attributes.mtime ?? null, ...part };
  } finally {
    opened.file.release();
  }
}

/** Bytes of a file from a position on. */
interface Seen {
  readonly offset: number;
  readonly bytes: Buffer;
  readonly atEnd: boolean;
}

async function readSized(
  { file }: OpenedFile,
  size: number,
  request: PartRequest,
  most: number,
  signal: AbortSignal,
): Promise<Seen> {
  const offset =
    request.kind === "range" ? request.offset : request.kind === "tail" ? Math.max(0, size - most) : 0;
  const length = request.kind === "range" ? Math.min(request.length, most) : most;
  // One byte more tells whether anything follows, also where the file has grown.
  const read = await file.read(offset, length + 1, signal);
  return { offset, bytes: read.subarray(0, length), atEnd: read.length <= length };
}

/** Reads from the beginning to the end, one request after the other, within limits of bytes and time. */
async function readUnsized(
  { target }: Place,
  path: string,
  { file }: OpenedFile,
  signal: AbortSignal,
): Promise<Seen> {
  const late = AbortSignal.timeout(unsizedMs);
  const both = AbortSignal.any([signal, late]);
  const pieces: Buffer[] = [];
  let got = 0;
  try {
    while (got < unsizedBytes) {
      const piece = await file.read(got, unsizedStep, both);
      pieces.push(piece);
      got += piece.length;
      if (piece.length < unsizedStep) return { offset: 0, bytes: Buffer.concat(pieces), atEnd: true };
    }
  } catch (error) {
    if (!late.aborted || signal.aborted) throw error;
    const causes = [`it did not come to an end within ${unsizedMs / 1000} s`];
    throw new QnxFsError("REFUSED_BY_TARGET", { target, path, operation: "READ", reply: "nothing", causes });
  }
  return { offset: 0, bytes: Buffer.concat(pieces), atEnd: false };
}

/** The wanted part of what was read. */
function choose(
  seen: Seen,
  request: PartRequest,
  most: number,
): Pick<FilePart, "offset" | "bytes" | "atEnd" | "cutLines"> {
  if (request.kind === "tail") return lastLines(seen, request.lines, most);
  const { offset, length } = request.kind === "range" ? request : { offset: 0, length: most };
  const start = Math.min(Math.max(0, offset - seen.offset), seen.bytes.length);
  const bytes = seen.bytes.subarray(start, start + Math.min(length, most));
  const atEnd = seen.atEnd && start + bytes.length === seen.bytes.length;
  if (request.kind === "range") return { offset, bytes, atEnd, cutLines: false };
  const end = endOfLines(bytes, request.lines);
  return {
    offset: 0,
    bytes: bytes.subarray(0, end ?? bytes.length),
    atEnd: atEnd && (end === undefined || end === bytes.length),
    cutLines: end === undefined && !atEnd,
  };
}

/** Where the first `lines` lines end; undefined where there are fewer. */
function endOfLines(bytes: Buffer, lines: number): number | undefined {
  let end = 0;
  for (let line = 0; line < lines; line++) {
    const found = bytes.indexOf(0x0a, end);
    if (found === -1) return undefined;
    end = found + 1;
  }
  return end;
}

function lastLines({ offset, bytes, atEnd }: Seen, lines: number, most: number) {
  // A newline at the very end closes the last line and begins none.
  let from = bytes.length;
  if (from > 0 && bytes[from - 1] === 0x0a) from--;
  for (let line = 0; line < lines; line++) {
    const found = from <= 0 ? -1 : bytes.lastIndexOf(0x0a, from - 1);
    from = found;
    if (found === -1) break;
  }
  const wanted = from + 1;
  const start = Math.max(wanted, bytes.length - most);
  const cutLines = (from === -1 && offset > 0) || start > wanted;
  return { offset: offset + start, bytes: bytes.subarray(start), atEnd, cutLines };
}
