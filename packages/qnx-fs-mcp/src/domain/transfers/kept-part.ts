import { isQnxFsError, QnxFsError } from "../errors.ts";
import type { LocalFiles, LocalWriter } from "../local-files.ts";
import type { OpenedFile } from "../reading/open-readable.ts";

/** Bytes before the end of a part that must be equal on both sides. */
const comparedBytes = 64 * 1024;
/** Nobody's sidecar is longer. */
const longestSidecar = 16 * 1024;

/** What lies beside a part of a file, as JSON: what it is a part of. */
interface Sidecar {
  readonly target: string;
  readonly path: string;
  readonly size: number;
  readonly mtime: number | null;
  /** Bytes of the part that are on the disk. */
  readonly bytes: number;
}

/** A partial file, open to be continued. */
export interface KeptPart {
  readonly writer: LocalWriter;
  /** Where to go on. */
  readonly start: number;
  /** Notes how far it has come, for a later call. */
  keep(bytes: number): Promise<void>;
}

/**
 * Opens `FILE.part` to be continued when the sidecar says that it is the beginning of this very file, and its last
 * 64 KiB are equal on both sides; else it is begun anew. What lies before these is trusted: a caller who does not
 * wants the whole verified. A file that has no sidecar of ours is left alone.
 */
export async function openPart(
  target: string,
  local: LocalFiles,
  opened: OpenedFile,
  part: string,
  signal: AbortSignal,
): Promise<KeptPart> {
  const sidecar = `${part}.json`;
  const now = {
    target,
    path: opened.realPath,
    size: opened.size ?? -1,
    mtime: opened.attributes.mtime ?? null,
  };
  const note = async (bytes: number): Promise<void> => {
    const writer = await local.continue(sidecar, 0);
    await writer.write(Buffer.from(JSON.stringify({ ...now, bytes } satisfies Sidecar)));
    await writer.finish();
  };
  const known = await readSidecar(local, sidecar);
  const there = await local.stat(part);
  if (there !== undefined && (there.kind !== "file" || known === undefined)) {
    throw new QnxFsError("ALREADY_EXISTS", { target: null, path: part });
  }
  let start = 0;
  if (there !== undefined && known !== undefined && opened.size !== undefined && isSame(known, now)) {
    start = Math.min(known.bytes, there.size, now.size);
    if (!(await endsEqual(local, part, opened, start, signal))) start = 0;
  }
  await note(start);
  return { writer: await local.continue(part, start), start, keep: note };
}

function isSame(known: Sidecar, now: Omit<Sidecar, "bytes">): boolean {
  return (
    known.target === now.target &&
    known.path === now.path &&
    known.size === now.size &&
    known.mtime === now.mtime
  );
}

async function endsEqual(
  local: LocalFiles,
  part: string,
  { file }: OpenedFile,
  end: number,
  signal: AbortSignal,
): Promise<boolean> {
  const from = Math.max(0, end - comparedBytes);
  const theirs = await file.read(from, end - from, signal);
  const ours: Buffer[] = [];
  for await (const piece of local.read(part, from)) ours.push(piece);
  return Buffer.concat(ours)
    .subarray(0, end - from)
    .equals(theirs);
}

async function readSidecar(local: LocalFiles, sidecar: string): Promise<Sidecar | undefined> {
  try {
    const read: Buffer[] = [];
    for await (const piece of local.read(sidecar)) {
      read.push(piece);
      if (piece.length > longestSidecar) return undefined;
    }
    const told: Partial<Sidecar> = JSON.parse(Buffer.concat(read).toString("utf8"));
    const complete =
      typeof told.path === "string" && Number.isSafeInteger(told.bytes) && (told.bytes ?? -1) >= 0;
    return complete ? (told as Sidecar) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || isQnxFsError(error, "LOCAL_PATH_REFUSED")) return undefined;
    throw error;
  }
}
