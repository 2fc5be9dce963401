import { AppFilesError } from "../domain/errors.ts";
import { checkLimit, type Limits } from "../domain/limits.ts";
import {
  checkPart,
  mostUploads,
  type NewPart,
  type Upload,
  type UploadPart,
  type UploadStore,
  uploadIdleMs,
  uploadYieldMs,
} from "../domain/upload.ts";

interface MemoryUpload {
  upload: Upload;
  readonly parts: Map<number, UploadPart & { readonly content: Uint8Array }>;
}

/** Uploads without a disk, with what the store in memory must know of them. */
export interface MemoryUploads extends UploadStore {
  /** What the chunks take, equal ones once. */
  sizes(): Map<string, number>;
  count(): number;
  /** The upload, or UPLOAD_NOT_FOUND. */
  need(id: string): Upload;
  /** Takes an upload away and returns how to put it back. */
  take(id: string): () => void;
  dropIdle(): void;
}

/** `makeRoom` gives history up for a chunk, or refuses it and changes nothing. */
export function createMemoryUploads(
  limits: Limits,
  now: () => number,
  makeRoom: (added: { readonly sha256: string; readonly size: number }) => void,
): MemoryUploads {
  const uploads = new Map<string, MemoryUpload>();
  let names = 0;

  function find(id: string): MemoryUpload | undefined {
    const found = uploads.get(id);
    return found !== undefined && found.upload.usedAt >= now() - uploadIdleMs ? found : undefined;
  }

  function need(id: string): MemoryUpload {
    const found = find(id);
    if (found === undefined) throw new AppFilesError("UPLOAD_NOT_FOUND", { uploadId: id });
    return found;
  }

  function dropIdle(): void {
    for (const id of uploads.keys()) if (find(id) === undefined) uploads.delete(id);
  }

  function begin(app: string, size: number): Upload {
    checkLimit(limits, "file_bytes", size);
    checkLimit(limits, "store_bytes", size);
    dropIdle();
    const open = [...uploads.values()]
      .map(({ upload }) => upload)
      .filter((upload) => upload.app === app)
      .sort((a, b) => a.usedAt - b.usedAt);
    const [idlest] = open;
    if (idlest !== undefined && open.length >= mostUploads) {
      if (idlest.usedAt > now() - uploadYieldMs) {
        throw new AppFilesError("TOO_MANY_UPLOADS", { app, open: open.length });
      }
      uploads.delete(idlest.id);
    }
    const upload = { id: `upload-${names++}`, app, size, bytes: 0, createdAt: now(), usedAt: now() };
    uploads.set(upload.id, { upload, parts: new Map() });
    return upload;
  }

  function put(id: string, part: NewPart) {
    const found = need(id);
    const known = found.parts.get(part.seq);
    checkPart(found.upload, known, part);
    makeRoom(part.facts);
    const { size, sha256 } = part.facts;
    found.parts.set(part.seq, { seq: part.seq, size, sha256, content: part.bytes.slice() });
    const bytes = found.upload.bytes + (known === undefined ? size : 0);
    found.upload = { ...found.upload, bytes, usedAt: now() };
    return { upload: found.upload, isNew: known === undefined };
  }

  return {
    begin: async (app, size) => begin(app, size),
    find: async (id) => find(id)?.upload,
    parts: async (id) =>
      [...(uploads.get(id)?.parts.values() ?? [])]
        .map(({ seq, size, sha256 }) => ({ seq, size, sha256 }))
        .sort((a, b) => a.seq - b.seq),
    put: async (id, part) => put(id, part),
    readPart: async (id, { seq }, { offset, length }) =>
      uploads
        .get(id)
        ?.parts.get(seq)
        ?.content.subarray(offset, offset + length),
    discard: async (id) => find(id) !== undefined && uploads.delete(id),
    sizes: () =>
      new Map(
        [...uploads.values()].flatMap(({ parts }) =>
          [...parts.values()].map(({ sha256, size }) => [sha256, size] as const),
        ),
      ),
    count: () => uploads.size,
    need: (id) => need(id).upload,
    take(id) {
      const taken = need(id);
      uploads.delete(id);
      return () => uploads.set(id, taken);
    },
    dropIdle,
  };
}
