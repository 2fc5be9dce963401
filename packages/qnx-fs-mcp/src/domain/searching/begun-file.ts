import { QnxFsError } from "../errors.ts";
import { displayPath, type RawName } from "../raw-name.ts";
import { openReadable } from "../reading/open-readable.ts";
import { joinPath } from "../remote-path.ts";
import type { Place } from "../roots.ts";
import type { GrepPosition } from "./grep-request.ts";

/** Bytes that are read of a file whose size is not known, and the milliseconds that it may take. */
const unsizedBytes = 1024 * 1024;
const unsizedMs = 10_000;
/** The beginning of a file, by which it is told whether it is binary; small files are that alone. */
const firstBytes = 64 * 1024;

/** The beginning of a file that is to be searched, read ahead. Its owner releases it. */
export interface BegunFile {
  readonly path: RawName;
  readonly offset: number;
  readonly line: number;
  readonly bytes: Buffer;
  /** Where reading ends. */
  readonly to: number;
  readonly rest: (from: number) => AsyncIterable<Buffer>;
  readonly release: () => void;
}

/** What is searched: a file or directory as the caller named it, and where it really is. */
export interface Searched {
  readonly path: string;
  readonly realPath: string;
}

/** Opens a file of what is searched, "" for that itself, and reads its beginning or on from a position. */
export async function beginFile(
  place: Place,
  searched: Searched,
  path: RawName,
  at: GrepPosition | undefined,
  outer: AbortSignal,
): Promise<BegunFile> {
  const wanted = path === "" ? searched.realPath : joinPath(searched.realPath, displayPath(path).text);
  const opened = await openReadable(place, wanted, outer).catch((error: unknown) => {
    // What the caller named is told by that name.
    const named = path === "" && error instanceof QnxFsError && "path" in error.details;
    throw named
      ? new QnxFsError(error.code, { ...error.details, path: searched.path } as never, { cause: error })
      : error;
  });
  const { file, size } = opened;
  const release = (): void => file.release();
  try {
    const signal = size === undefined ? AbortSignal.any([outer, AbortSignal.timeout(unsizedMs)]) : outer;
    const to = size ?? unsizedBytes;
    const offset = at?.offset ?? 0;
    const bytes = await file.read(offset, Math.max(0, Math.min(firstBytes, to - offset)), signal);
    const line = at === undefined || at.offset === null ? 1 : at.line + 1;
    const over = bytes.length < firstBytes;
    return {
      path,
      offset,
      line,
      bytes,
      to: over ? offset + bytes.length : to,
      rest: (from) => file.stream(from, to, signal),
      release,
    };
  } catch (error) {
    release();
    throw error;
  }
}
