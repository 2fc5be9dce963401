import { QnxFsError } from "../errors.ts";
import type { LocalFiles } from "../local-files.ts";

/** What is to be put. */
export interface PutSource {
  /** Bytes. */
  readonly size: number;
  pieces(): AsyncIterable<Uint8Array>;
  /** Fails where it is not any more what it was when it was described. */
  assertUnchanged(): Promise<void>;
}

export function bytesSource(bytes: Uint8Array): PutSource {
  return {
    size: bytes.length,
    async *pieces() {
      if (bytes.length > 0) yield bytes;
    },
    assertUnchanged: async () => {},
  };
}

/** A regular file on this host, by its real path. */
export async function fileSource(local: LocalFiles, realPath: string): Promise<PutSource> {
  const refuse = (reason: string, instead?: string) => {
    const why = instead === undefined ? { reason } : { reason, instead };
    return new QnxFsError("LOCAL_PATH_REFUSED", { path: realPath, roots: [], add: realPath, ...why });
  };
  const before = await local.stat(realPath);
  if (before === undefined) throw refuse("there is no such file or directory");
  if (before.kind === "dir")
    throw refuse("it is a directory", "Pass recursive: true to copy it with its content, or a file in it.");
  if (before.kind !== "file") throw refuse("it is not a regular file");
  return {
    size: before.size,
    pieces: () => local.read(realPath),
    async assertUnchanged() {
      const now = await local.stat(realPath);
      if (now?.kind === "file" && now.size === before.size && now.mtimeMs === before.mtimeMs) return;
      throw refuse("it changed while it was copied");
    },
  };
}
