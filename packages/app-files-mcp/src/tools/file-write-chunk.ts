import { eot } from "@mcp-file-servers/core";
import * as z from "zod";
import { decodeBase64 } from "../domain/base64.ts";
import { needUpload } from "../domain/commit-upload.ts";
import { describeContent } from "../domain/content.ts";
import { AppFilesError } from "../domain/errors.ts";
import { callBytes } from "../domain/limits.ts";
import { lastSeq, missingParts } from "../domain/upload.ts";
import { defineTool } from "./define.ts";
import { count } from "./schemas.ts";

const seq = z.int().min(0).max(lastSeq);

/** Stores one chunk of an upload. */
export const fileWriteChunk = defineTool({
  name: "file_write_chunk",
  title: "Send an upload chunk",
  description:
    "Send one piece of a file that file_write_begin has opened an upload for. " +
    "Cut the file into consecutive pieces of 5 MiB at most, encode each by itself, number them 0, 1, 2… and send them in any order. " +
    "An answer means that it is on disk. Send it again when an answer was lost: the same bytes are acknowledged, others under that seq refused. To mend a wrong chunk, discard the upload and begin anew. " +
    "When bytes has reached size and missing is empty, call file_write_commit.",
  effect: "create",
  idempotent: true,
  input: z.strictObject({
    upload_id: z.string().describe("as file_write_begin gave it"),
    seq: seq.describe("number of the chunk, from 0 in the order of the file"),
    data_base64: z.string().describe("the chunk's bytes in standard base64, at least one"),
  }),
  output: z.object({
    upload_id: z.string(),
    seq,
    chunk_size: count.describe("bytes of this chunk"),
    duplicate: z.boolean().describe("it was there already"),
    bytes: count.describe("bytes that have arrived in all"),
    size: count.describe("bytes announced"),
    missing: z.array(seq).describe("first gaps before the last chunk"),
    eot,
  }),
  failures: [
    "INVALID_ARGUMENT",
    "INVALID_BASE64",
    "UPLOAD_NOT_FOUND",
    "CHUNK_CONFLICT",
    "UPLOAD_TOO_LARGE",
    "LIMIT_EXCEEDED",
    "STORE_UNAVAILABLE",
  ],
  subject: ({ upload_id: id, seq: number }) => `${id} ${number}`,
  async run({ upload_id: id, seq: number, data_base64: data }, { store, policy }, { signal }) {
    await needUpload(id, { store, allows: policy.allows }, { signal });
    const bytes = chunkOf(data);
    const { upload, isNew } = await store.uploads.put(
      id,
      { seq: number, bytes, facts: describeContent(bytes) },
      { signal },
    );
    return {
      upload_id: id,
      seq: number,
      chunk_size: bytes.length,
      duplicate: !isNew,
      bytes: upload.bytes,
      size: upload.size,
      missing: missingParts(await store.uploads.parts(id, { signal })),
    };
  },
});

/** @throws AppFilesError INVALID_BASE64, INVALID_ARGUMENT */
function chunkOf(data: string): Uint8Array {
  const bytes = decodeBase64(data);
  if (bytes.length > 0 && bytes.length <= callBytes) return bytes;
  const isEmpty = bytes.length === 0;
  throw new AppFilesError("INVALID_ARGUMENT", {
    argument: "data_base64",
    problem: isEmpty
      ? "stands for no bytes"
      : `may be ${callBytes} bytes decoded at most, not ${bytes.length}`,
    next: isEmpty
      ? "Call file_write_commit when all chunks are there; an empty file is stored by file_write."
      : "Call file_write_chunk with smaller pieces, each with a seq of its own.",
  });
}
