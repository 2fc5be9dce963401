import { createHash } from "node:crypto";
import { AppFilesError } from "./errors.ts";
import type { FileRecord } from "./file-record.ts";
import type { LocalFiles } from "./local-files.ts";
import { readVerified } from "./read-window.ts";
import type { CallOptions, FileStore, StoredContent } from "./store.ts";

/** Bytes that are read at once. */
const pieceBytes = 256 * 1024;

/** A file of an app that is to be written to the disk; names are parsed. */
export interface ExportOrder {
  readonly app: string;
  readonly path: string;
  readonly localPath: string;
  readonly overwrite: boolean;
}

/**
 * Writes a file of an app to the disk, where it appears whole or not at all.
 *
 * @param progress Told of the bytes that were written, and of all.
 * @throws AppFilesError NOT_FOUND, CORRUPT, what `LocalFiles.create` and `LocalTarget` throw.
 */
export async function exportFile(
  { app, path, localPath, overwrite }: ExportOrder,
  { store, localFiles }: { readonly store: FileStore; readonly localFiles: LocalFiles },
  options: CallOptions = {},
  progress: (done: number, total: number) => void = () => {},
): Promise<{ readonly record: FileRecord; readonly localPath: string }> {
  const content = await store.open(app, path, undefined, options);
  const target = await localFiles.create(localPath, { overwrite });
  try {
    let done = 0;
    for await (const bytes of readPieces(content, { ...options, reuse: true })) {
      await target.append(bytes);
      done += bytes.length;
      progress(done, content.record.size);
    }
    await target.finish();
    return { record: content.record, localPath: target.path };
  } finally {
    await target.discard();
  }
}

/**
 * All bytes of a content, verified block by block and as a whole.
 *
 * @param options `reuse`: each piece is there until the next one is asked for, and leaves no garbage.
 * @throws AppFilesError CORRUPT, and the signal's reason.
 */
export async function* readPieces(
  content: StoredContent,
  { signal, reuse }: CallOptions & { readonly reuse?: boolean } = {},
): AsyncGenerator<Uint8Array> {
  const { size, sha256, path, version } = content.record;
  const hash = createHash("sha256");
  const into = reuse === true ? new Uint8Array(pieceBytes) : undefined;
  for (let offset = 0; offset < size; offset += pieceBytes) {
    signal?.throwIfAborted();
    const bytes = await readVerified(content, offset, pieceBytes, into);
    hash.update(bytes);
    yield bytes;
  }
  if (hash.digest("hex") !== sha256) throw new AppFilesError("CORRUPT", { path, version });
}
