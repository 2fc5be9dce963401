import { AppFilesError } from "./errors.ts";
import type { WriteReceipt } from "./file-record.ts";
import { detectMime, type MimeDetector } from "./mime.ts";
import type { CallOptions, Command, FileStore } from "./store.ts";

/** Bytes at the beginning of a file by which its type is told. */
const detectedBytes = 64 * 1024;

/** What is to become of a content that comes piece by piece. */
export interface NewStagedFile {
  readonly path: string;
  readonly mime?: string | undefined;
  /** 0: the file must not exist. */
  readonly expectedVersion?: number | undefined;
  /** What the content must hash to; lower-case hex. */
  readonly expectedSha256?: string | undefined;
  readonly client: string;
}

export interface StagedFile extends NewStagedFile {
  readonly app: string;
  readonly command?: Command | undefined;
  /** The upload that the content comes from. */
  readonly upload?: string | undefined;
}

/**
 * Stores a file whose content comes piece by piece. Nothing is left where it is refused, or where a piece fails to
 * come.
 *
 * @throws AppFilesError SHA256_MISMATCH, what `pieces` throws, and what `Staging.write` throws.
 */
export async function writeStagedFile(
  { expectedSha256, ...file }: StagedFile,
  pieces: AsyncIterable<Uint8Array>,
  { store, detector }: { readonly store: FileStore; readonly detector: MimeDetector },
  options: CallOptions = {},
): Promise<WriteReceipt> {
  const staging = await store.stage();
  try {
    for await (const piece of pieces) {
      options.signal?.throwIfAborted();
      await staging.append(piece);
    }
    const { sha256, size, isText } = await staging.seal();
    if (expectedSha256 !== undefined && expectedSha256 !== sha256) {
      throw new AppFilesError("SHA256_MISMATCH", { expected: expectedSha256, actual: sha256, size });
    }
    const beginning = await staging.read(0, detectedBytes);
    const detectedMime = file.mime ?? (await detectMime(detector, file.path, beginning, isText));
    return await staging.write({ ...file, detectedMime }, options);
  } finally {
    await staging.discard();
  }
}
