import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { nameAgain, syncFolder, syncFolderNow } from "./durable-names.ts";

/** Milliseconds after which a temporary file belongs to no living write. */
const temporaryAge = 60 * 60 * 1000;

/** A content that is written piece by piece before its hash is known. */
export interface StagedBlob {
  append(bytes: Uint8Array): Promise<void>;
  /** Makes what was written durable; nothing can be added any more. */
  seal(): Promise<void>;
  /** Bytes from `offset` on, of what was sealed. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** Puts it in its place, durably, for use inside a transaction; it can be placed again. */
  placeSync(sha256: string): void;
  /** Removes what is not in its place. */
  discard(): Promise<void>;
}

/** Contents that are too large for the database, each a file named by its SHA-256. */
export interface BlobFolder {
  /** Makes the folders, for their owner alone. */
  prepare(): Promise<void>;
  /** Puts a content in its place, durably: temp, fsync, rename, folder fsync. Replaces what lies there. */
  put(sha256: string, bytes: Uint8Array): Promise<void>;
  /** Begins a content whose hash is not known yet. */
  stage(): Promise<StagedBlob>;
  /** The same as `put` without waiting, for use inside a transaction. */
  putSync(sha256: string, bytes: Uint8Array): void;
  /** Whether a file of that name and size is there to stay: whoever put it there may not have synced the folder yet. */
  hasSync(sha256: string, size: number): boolean;
  /** Whether a file of that name and size is there, which the store counts on already. */
  liesThere(sha256: string, size: number): boolean;
  removeSync(sha256: string): void;
  /** Bytes from `offset` on, fewer at the end, put into `into` where it is given; undefined when the file is missing. */
  read(sha256: string, offset: number, length: number, into?: Uint8Array): Promise<Uint8Array | undefined>;
  /** The contents that lie in one of the 256 folders. */
  namesIn(shard: number): Promise<string[]>;
  /** Removes temporary files whose writer is gone. */
  sweepTemporary(now: number): Promise<void>;
}

export function createBlobFolder(folder: string, nextName: () => string): BlobFolder {
  const temporary = join(folder, "tmp");
  const blobs = join(folder, "blobs");
  const shardOf = (sha256: string) => join(blobs, sha256.slice(0, 2));
  const placeOf = (sha256: string) => join(shardOf(sha256), sha256);

  return {
    async prepare() {
      for (const each of [folder, temporary, blobs]) await mkdir(each, { recursive: true, mode: 0o700 });
    },

    async put(sha256, bytes) {
      const temp = join(temporary, nextName());
      try {
        const file = await open(temp, "wx", 0o600);
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        const isNew = (await mkdir(shardOf(sha256), { recursive: true, mode: 0o700 })) !== undefined;
        await rename(temp, placeOf(sha256));
        await syncFolder(shardOf(sha256));
        if (isNew) await syncFolder(blobs);
      } catch (error) {
        await rm(temp, { force: true });
        throw error;
      }
    },

    async stage() {
      const temp = join(temporary, nextName());
      const file = await open(temp, "wx+", 0o600);
      let isOpen = true;
      const close = async () => {
        if (isOpen) await file.close();
        isOpen = false;
      };
      return {
        append: (bytes) => file.appendFile(bytes),
        seal: () => file.sync(),
        read: (offset, length) => readFrom(file, offset, length),
        placeSync(sha256) {
          // A second name, so that this one is still there when the transaction has to be run again.
          const second = join(temporary, nextName());
          nameAgain(temp, second);
          mkdirSync(shardOf(sha256), { recursive: true, mode: 0o700 });
          renameSync(second, placeOf(sha256));
          // Renaming one name of a file over another of the same file leaves both.
          rmSync(second, { force: true });
          syncFolderNow(shardOf(sha256));
          syncFolderNow(blobs);
        },
        async discard() {
          await close();
          await rm(temp, { force: true });
        },
      };
    },

    putSync(sha256, bytes) {
      const temp = join(temporary, nextName());
      const file = openSync(temp, "wx", 0o600);
      try {
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(temp, placeOf(sha256));
      syncFolderNow(shardOf(sha256));
    },

    hasSync(sha256, size) {
      if (statSync(placeOf(sha256), { throwIfNoEntry: false })?.size !== size) return false;
      syncFolderNow(shardOf(sha256));
      return true;
    },

    liesThere: (sha256, size) => statSync(placeOf(sha256), { throwIfNoEntry: false })?.size === size,

    removeSync(sha256) {
      rmSync(placeOf(sha256), { force: true });
    },

    async read(sha256, offset, length, into) {
      try {
        const file = await open(placeOf(sha256), "r");
        try {
          return await readFrom(file, offset, length, into);
        } finally {
          await file.close();
        }
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },

    async namesIn(shard) {
      try {
        const names = await readdir(join(blobs, shard.toString(16).padStart(2, "0")));
        return names.filter((name) => /^[0-9a-f]{64}$/.test(name));
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
    },

    async sweepTemporary(now) {
      for (const name of await readdir(temporary)) {
        const path = join(temporary, name);
        const state = await stat(path).catch(() => undefined);
        if (state !== undefined && state.mtimeMs < now - temporaryAge) await rm(path, { force: true });
      }
    },
  };
}

/** Bytes from `offset` on, fewer at the end. */
async function readFrom(
  file: FileHandle,
  offset: number,
  length: number,
  buffer: Uint8Array = new Uint8Array(length),
): Promise<Uint8Array> {
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
