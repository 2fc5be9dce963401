import { createHash } from "node:crypto";
import { AppFilesError, hasCode } from "./errors.ts";
import type { WriteReceipt } from "./file-record.ts";
import { checkLimit, type Limits } from "./limits.ts";
import type { LocalFiles } from "./local-files.ts";
import type { MimeDetector } from "./mime.ts";
import type { CallOptions, Command, FileStore } from "./store.ts";
import { writeStagedFile } from "./write-staged-file.ts";

/** A file on the disk that is to become a file of an app; names are parsed. */
export interface ImportOrder {
  readonly app: string;
  readonly path: string;
  readonly localPath: string;
  readonly overwrite: boolean;
  readonly commandId?: string | undefined;
  readonly client: string;
}

export interface Importing {
  readonly store: FileStore;
  readonly detector: MimeDetector;
  readonly limits: Limits;
  readonly localFiles: LocalFiles;
}

/**
 * Stores what a file on the disk holds.
 *
 * @param progress Told of the bytes that were read, and of all.
 * @returns the receipt, and where the file was read: as it was named when the receipt is one of before.
 * @throws AppFilesError FILE_EXISTS, what `LocalFiles.open` and `LocalSource.read` throw, and what `FileStore.write`
 *   throws.
 */
export async function importFile(
  order: ImportOrder,
  { store, detector, limits, localFiles }: Importing,
  options: CallOptions = {},
  progress: (done: number, total: number) => void = () => {},
): Promise<{ readonly receipt: WriteReceipt; readonly localPath: string }> {
  const command = commandOf(order);
  const earlier = command && (await store.receipt(command, options));
  if (earlier !== undefined) return { receipt: earlier, localPath: order.localPath };
  const { app, path, overwrite, client } = order;
  const current = overwrite ? undefined : await store.find(app, path, options);
  if (current !== undefined) throw new AppFilesError("FILE_EXISTS", { argument: "path", path, current });
  const source = await localFiles.open(order.localPath);
  try {
    checkLimit(limits, "file_bytes", source.size);
    const receipt = await writeStagedFile(
      { app, path, client, command, expectedVersion: overwrite ? undefined : 0 },
      told(source.read(), (done) => progress(done, source.size)),
      { store, detector },
      options,
    );
    return { receipt, localPath: source.path };
  } catch (error) {
    // Somebody was faster.
    if (hasCode(error, "VERSION_CONFLICT") && error.details.current !== undefined) {
      throw new AppFilesError("FILE_EXISTS", { argument: "path", path, current: error.details.current });
    }
    throw error;
  } finally {
    await source.close();
  }
}

async function* told(pieces: AsyncIterable<Uint8Array>, tell: (done: number) => void) {
  let done = 0;
  for await (const piece of pieces) {
    yield piece;
    done += piece.length;
    tell(done);
  }
}

function commandOf({ commandId, app, path, localPath, overwrite }: ImportOrder): Command | undefined {
  if (commandId === undefined) return undefined;
  const asked = JSON.stringify(["import", app, path, localPath, overwrite]);
  return { id: commandId, fingerprint: createHash("sha256").update(asked).digest("hex") };
}
