import { dateTime, eot } from "@mcp-file-servers/core";
import * as z from "zod";
import { parseApp } from "../domain/app-name.ts";
import { needUpload } from "../domain/commit-upload.ts";
import { formatDateTime } from "../domain/date-time.ts";
import { AppFilesError } from "../domain/errors.ts";
import { callBytes } from "../domain/limits.ts";
import { missingParts, toRanges, type Upload, type UploadPart, uploadIdleMs } from "../domain/upload.ts";
import { defineTool } from "./define.ts";
import { byteCount, count } from "./schemas.ts";

/** Runs of chunks that an answer shows. */
const mostRanges = 100;

const seq = z.int().min(0);

/** Begins an upload, shows what is there of one, or drops it. */
export const fileWriteBegin = defineTool({
  name: "file_write_begin",
  title: "Begin a large upload",
  description:
    "Open an upload for a file over 5 MiB; store smaller ones by file_write. " +
    "With app and the exact size it gives an upload_id: send the bytes by file_write_chunk, finish by file_write_commit, which names the path. " +
    "With upload_id alone it tells which chunks are there: uploads survive restarts, and any chat can go on with one; discard drops it. " +
    "An upload ends 24 hours after its last chunk. An app has 16 at most: one more drops the longest idle if idle for over an hour, else it is refused.",
  effect: "create",
  input: z.strictObject({
    app: z.string().optional().describe("the app that the file is for; only to begin"),
    size: byteCount.optional().describe("bytes of the whole file; only to begin"),
    upload_id: z.string().optional().describe("an upload to look at or to drop, in place of app and size"),
    discard: z.boolean().default(false).describe("drop the upload and its chunks"),
  }),
  output: z.object({
    upload_id: z.string(),
    app: z.string(),
    size: count.describe("bytes announced"),
    bytes: count.describe("bytes that have arrived"),
    received: z
      .array(z.object({ first: seq, last: seq }))
      .describe(`runs of seq that have arrived, the first ${mostRanges}`),
    missing: z.array(seq).describe("first gaps before the last chunk"),
    chunk_bytes: count.describe("most bytes of a chunk"),
    expires_at: dateTime("unless a chunk comes before"),
    discarded: z.boolean(),
    eot,
  }),
  failures: [
    "INVALID_ARGUMENT",
    "INVALID_APP",
    "APP_NOT_ALLOWED",
    "LIMIT_EXCEEDED",
    "TOO_MANY_UPLOADS",
    "UPLOAD_NOT_FOUND",
    "STORE_UNAVAILABLE",
  ],
  subject: ({ app, upload_id: id }) => app ?? id ?? "",
  async run({ app, size, upload_id: id, discard }, { store, policy }, { signal }) {
    if (id === undefined) {
      if (app === undefined || size === undefined) throw missing(app === undefined ? "app" : "size");
      if (discard) throw excluded("discard", "upload_id is missing");
      return describeUpload(await store.uploads.begin(parseApp(app, policy), size, { signal }), [], false);
    }
    if (app !== undefined) throw excluded("app", "cannot be used together with upload_id");
    if (size !== undefined) throw excluded("size", "cannot be used together with upload_id");
    const upload = await needUpload(id, { store, allows: policy.allows }, { signal });
    const parts = await store.uploads.parts(id, { signal });
    const discarded = discard && (await store.uploads.discard(id, { signal }));
    return describeUpload(upload, parts, discarded);
  },
});

function describeUpload(upload: Upload, parts: readonly UploadPart[], discarded: boolean) {
  return {
    upload_id: upload.id,
    app: upload.app,
    size: upload.size,
    bytes: upload.bytes,
    received: toRanges(parts.map((part) => part.seq)).slice(0, mostRanges),
    missing: missingParts(parts),
    chunk_bytes: callBytes,
    expires_at: formatDateTime(upload.usedAt + uploadIdleMs),
    discarded,
  };
}

function missing(argument: string): AppFilesError {
  return new AppFilesError("INVALID_ARGUMENT", {
    argument,
    problem: "is missing, and upload_id too",
    next: "Call again with app and size to begin an upload, or with upload_id to look at one.",
  });
}

function excluded(argument: string, problem: string): AppFilesError {
  return new AppFilesError("INVALID_ARGUMENT", {
    argument,
    problem,
    next: "Call again with app and size to begin an upload, or with upload_id and discard alone.",
  });
}
