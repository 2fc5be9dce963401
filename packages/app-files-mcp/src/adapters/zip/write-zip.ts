import { Readable } from "node:stream";
import { ZipFile } from "yazl";

/** A file that goes into a zip. */
export interface NewEntry {
  readonly name: string;
  readonly comment: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
  readonly compress: boolean;
  read(): AsyncIterable<Uint8Array>;
}

/**
 * The bytes of a zip with these entries, one of which is read at a time.
 *
 * @throws what reading an entry throws.
 */
export async function* writeZip(entries: readonly NewEntry[]): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = Readable.from(zip.outputStream as Readable, { objectMode: false });
  // A file that cannot be read would leave the output without an end.
  zip.on("error", (error: Error) => output.destroy(error));
  for (const { name, comment, size, changedAt, compress, read } of entries) {
    const options = { mtime: new Date(changedAt), mode: 0o100644, fileComment: comment, size, compress };
    zip.addReadStreamLazy(name, options, (give) => give(null, Readable.from(read(), { objectMode: false })));
  }
  zip.end();
  yield* output;
}
