import { crc32 } from "node:zlib";
import { type Entry, openPromise } from "yauzl";

/** What is wrong with a zip, in words. */
export class ZipError extends Error {
  override readonly name = "ZipError";
}

/** A file in a zip. */
export interface ZipEntry {
  readonly name: string;
  readonly comment: string;
  /** Bytes, as the zip says; reading gives exactly as many or fails. */
  readonly size: number;
  /** Why it cannot be taken out. */
  readonly problem: string | undefined;
  /** @throws ZipError when the bytes are damaged. */
  read(): AsyncIterable<Uint8Array>;
}

export interface OpenZip {
  /** Folders left out. */
  readonly entries: readonly ZipEntry[];
  close(): void;
}

/**
 * Opens a zip and reads its list. Names that lead out of it (`..`, absolute) make it fail as a whole.
 *
 * @throws ZipError
 */
export async function openZip(path: string): Promise<OpenZip> {
  const zip = await openPromise(path, { autoClose: false }).catch(fail);
  try {
    const entries: ZipEntry[] = [];
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith("/")) continue;
      entries.push({
        name: entry.fileName,
        comment: entry.fileComment,
        size: entry.uncompressedSize,
        problem: problemOf(entry),
        async *read() {
          let sum = 0;
          const stream = await zip.openReadStreamPromise(entry).catch(fail);
          try {
            for await (const piece of stream as AsyncIterable<Buffer>) {
              sum = crc32(piece, sum);
              yield piece;
            }
          } catch (error) {
            fail(error);
          }
          if (sum !== entry.crc32) throw new ZipError(`${JSON.stringify(entry.fileName)} is damaged`);
        },
      });
    }
    return { entries, close: () => zip.close() };
  } catch (error) {
    zip.close();
    return fail(error);
  }
}

const fileTypeMask = 0o170000;
const plainFile = 0o100000;

function problemOf(entry: Entry): string | undefined {
  if (entry.isEncrypted()) return "is encrypted";
  if (!entry.canDecodeFileData()) return "is compressed by a method other than deflate";
  // The upper half has the mode where the zip was made on a system that has one.
  const type = (entry.externalFileAttributes >>> 16) & fileTypeMask;
  return type === 0 || type === plainFile ? undefined : "is a link or a special file";
}

function fail(error: unknown): never {
  if (error instanceof ZipError || !(error instanceof Error)) throw error;
  throw new ZipError(error.message, { cause: error });
}
