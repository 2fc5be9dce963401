import * as z from "zod";
import { parseCommandId } from "../domain/command.ts";
import { commitUpload } from "../domain/commit-upload.ts";
import { parsePath } from "../domain/file-path.ts";
import { parseMime } from "../domain/mime.ts";
import { plainClientName } from "../domain/plain-text.ts";
import { defineTool } from "./define.ts";
import { describeWritten, receiptSchema, receiptWithUrlSchema } from "./receipt-schema.ts";
import {
  byteCount,
  commandIdArgument,
  expectedVersionArgument,
  mimeArgument,
  pathArgument,
  sha256Argument,
} from "./schemas.ts";

/** Makes a file of the chunks of an upload. */
export const fileWriteCommit = defineTool({
  name: "file_write_commit",
  title: "Commit a large upload",
  description:
    "Finish an upload: its chunks, in the order of seq, become the file at path in the app of file_write_begin, whole or not at all; a file there is replaced and stays in its history. " +
    "size must be that of the whole file: a missing chunk, even the last, is found and named. " +
    "Refused (a missing chunk, a conflict, a collision, a limit), it writes nothing and keeps the upload: mend what is named and commit again. Done, the upload is gone: without command_id a repetition finds none.",
  effect: "overwrite",
  input: z.strictObject({
    upload_id: z.string().describe("as file_write_begin gave it"),
    path: pathArgument,
    size: byteCount.describe("bytes of the whole file"),
    mime: mimeArgument,
    expected_version: expectedVersionArgument,
    expected_sha256: sha256Argument.describe("SHA-256 of the whole file; others are refused"),
    command_id: commandIdArgument,
  }),
  output: receiptSchema,
  failures: [
    "INVALID_ARGUMENT",
    "INVALID_PATH",
    "UPLOAD_NOT_FOUND",
    "UPLOAD_INCOMPLETE",
    "PATH_COLLISION",
    "VERSION_CONFLICT",
    "SHA256_MISMATCH",
    "LIMIT_EXCEEDED",
    "COMMAND_ID_REUSED",
    "STORE_UNAVAILABLE",
  ],
  subject: ({ upload_id: id, path }) => `${id} ${path}`,
  async run(args, { store, detector, policy, web }, { client, signal, progress }) {
    const receipt = await commitUpload(
      {
        uploadId: args.upload_id,
        path: parsePath(args.path),
        size: args.size,
        mime: args.mime === undefined ? undefined : parseMime(args.mime),
        expectedVersion: args.expected_version,
        expectedSha256: args.expected_sha256?.toLowerCase(),
        commandId: parseCommandId(args.command_id),
        client: plainClientName(client),
      },
      { store, detector, allows: policy.allows },
      { signal },
      (bytes) => progress(bytes, args.size),
    );
    return describeWritten(receipt, web);
  },
});

/** The same over HTTP. */
export const fileWriteCommitOverHttp = defineTool({ ...fileWriteCommit, output: receiptWithUrlSchema });
