import { createHash } from "node:crypto";
import { AppFilesError } from "./errors.ts";
import type { WriteReceipt } from "./file-record.ts";
import type { MimeDetector } from "./mime.ts";
import type { CallOptions, FileStore } from "./store.ts";
import { checkComplete, type Upload, type UploadPart } from "./upload.ts";
import { type NewStagedFile, writeStagedFile } from "./write-staged-file.ts";

/** Bytes of a chunk that are read at once. */
const pieceBytes = 256 * 1024;

/** How an upload is to end. */
export interface CommitOrder extends NewStagedFile {
  readonly uploadId: string;
  /** Bytes that the file must have. */
  readonly size: number;
  readonly commandId?: string | undefined;
}

export interface Uploading {
  readonly store: FileStore;
  readonly detector: MimeDetector;
  /** Whether uploads of an app may be used; those of others are not there. */
  readonly allows: (app: string) => boolean;
}

/** @throws AppFilesError UPLOAD_NOT_FOUND */
export async function needUpload(
  id: string,
  { store, allows }: Pick<Uploading, "store" | "allows">,
  options: CallOptions = {},
): Promise<Upload> {
  const upload = await store.uploads.find(id, options);
  if (upload !== undefined && allows(upload.app)) return upload;
  throw new AppFilesError("UPLOAD_NOT_FOUND", { uploadId: id });
}

/**
 * Makes a file of the chunks of an upload, and ends the upload. Refused, the upload stays as it is.
 *
 * @param progress Told of the bytes that were put together.
 * @throws AppFilesError UPLOAD_NOT_FOUND, INVALID_ARGUMENT (a size beyond the announced one), UPLOAD_INCOMPLETE, SHA256_MISMATCH, and what `FileStore.write` throws.
 */
export async function commitUpload(
  order: CommitOrder,
  { store, detector, allows }: Uploading,
  options: CallOptions = {},
  progress: (bytes: number) => void = () => {},
): Promise<WriteReceipt> {
  const command = commandOf(order);
  const earlier = command && (await store.receipt(command, options));
  // The upload is gone; what it was for is told to whoever may have it.
  if (earlier !== undefined && allows(earlier.app)) return earlier;
  const { app, size } = await needUpload(order.uploadId, { store, allows }, options);
  if (order.size > size) {
    throw new AppFilesError("INVALID_ARGUMENT", {
      argument: "size",
      problem: `${order.size} is more than the ${size} bytes that file_write_begin announced`,
      next: `Call again with size ${size}, or begin another upload with the size that the file has.`,
    });
  }
  const parts = await store.uploads.parts(order.uploadId, options);
  checkComplete(parts, order.size);
  return writeStagedFile(
    { ...order, app, upload: order.uploadId, command },
    chunksOf(order, parts, store, options, progress),
    { store, detector },
    options,
  );
}

async function* chunksOf(
  { uploadId, size }: CommitOrder,
  parts: readonly UploadPart[],
  store: FileStore,
  options: CallOptions,
  progress: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let done = 0;
  // One buffer for all pieces: hundreds of megabytes leave no hundreds of buffers behind.
  const into = new Uint8Array(pieceBytes);
  for (const part of parts) {
    const hash = createHash("sha256");
    for (let offset = 0; offset < part.size; offset += pieceBytes) {
      const bytes = await store.uploads.readPart(
        uploadId,
        part,
        { offset, length: pieceBytes, into },
        options,
      );
      if (bytes === undefined) break;
      hash.update(bytes);
      yield bytes;
    }
    // What was given of it already becomes nothing: the content as a whole is refused.
    if (hash.digest("hex") !== part.sha256) {
      // It may have ended meanwhile; else the chunk is damaged, and sending it again heals it.
      await needUpload(uploadId, { store, allows: () => true }, options);
      const received = size - part.size;
      throw new AppFilesError("UPLOAD_INCOMPLETE", { missing: [part.seq], received, size });
    }
    done += part.size;
    progress(done);
  }
}

function commandOf({ commandId, uploadId, path, size, mime, expectedVersion }: CommitOrder) {
  if (commandId === undefined) return undefined;
  const asked = ["commit", uploadId, path, size, mime ?? null, expectedVersion ?? null];
  return { id: commandId, fingerprint: createHash("sha256").update(JSON.stringify(asked)).digest("hex") };
}
