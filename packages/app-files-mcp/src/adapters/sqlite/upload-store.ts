import type { Reader, Writer } from "@mcp-file-servers/sqlite";
import type { Limits } from "../../domain/limits.ts";
import type { CallOptions } from "../../domain/store.ts";
import type { UploadStore } from "../../domain/upload.ts";
import type { BlobFolder } from "../blob-folder.ts";
import { inlineBytes } from "./apply-write.ts";
import { beginUpload, dropUpload, findUpload, inlinePart, listParts, putPart } from "./uploads.ts";

/** What the store lends to its uploads. */
export interface UploadSurroundings {
  readonly blobs: BlobFolder;
  readonly limits: Limits;
  readonly now: () => number;
  readonly nextName: () => string;
  read<Result>(work: (reader: Reader) => Result, options?: CallOptions): Promise<Result>;
  write<Result>(work: (writer: Writer) => Result, options?: CallOptions): Promise<Result>;
  /** Puts a large content in its place. */
  putBlob(sha256: string, bytes: Uint8Array): Promise<void>;
  /** Removes the file of a content that nothing refers to; what cannot be removed now is collected later. */
  collectBlob(sha256: string): Promise<void>;
  /** Removes the files of contents that were given up. */
  emptyTrash(): Promise<void>;
}

/** Uploads in the store's database; their chunks are contents like all others. */
export function createUploadStore(surroundings: UploadSurroundings): UploadStore {
  const { blobs, limits, now, nextName, read, write, putBlob, collectBlob, emptyTrash } = surroundings;
  return {
    begin: (app, size, options) => {
      const id = nextName();
      return write((writer) => beginUpload(writer, { id, app, size, now: now() }, limits), options);
    },

    find: (id, options) => read((reader) => findUpload(reader, id, now()), options),

    parts: (id, options) => read((reader) => listParts(reader, id), options),

    async put(id, part, options) {
      const { sha256, size } = part.facts;
      const isLarge = size > inlineBytes;
      if (isLarge) await putBlob(sha256, part.bytes);
      try {
        return await write((writer) => putPart(writer, blobs, { id, part, now: now() }, limits), options);
      } catch (error) {
        if (isLarge) await collectBlob(sha256);
        throw error;
      }
    },

    async readPart(_id, { sha256, size }, { offset, length, into }, options) {
      if (size > inlineBytes) return blobs.read(sha256, offset, length, into);
      const bytes = await read((reader) => inlinePart(reader, sha256), options);
      return bytes?.subarray(offset, offset + length);
    },

    async discard(id, options) {
      const isThere = await write(
        (writer) => findUpload(writer, id, now()) !== undefined && dropUpload(writer, id),
        options,
      );
      if (isThere) await emptyTrash();
      return isThere;
    },
  };
}
