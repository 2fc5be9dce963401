import * as z from "zod";
import { parseApp } from "../domain/app-name.ts";
import { decodeBase64 } from "../domain/base64.ts";
import { parseCommandId } from "../domain/command.ts";
import { AppFilesError } from "../domain/errors.ts";
import { parsePath } from "../domain/file-path.ts";
import { parseMime } from "../domain/mime.ts";
import { plainClientName } from "../domain/plain-text.ts";
import { writeFile } from "../domain/write-file.ts";
import { defineTool } from "./define.ts";
import { describeWritten, receiptSchema, receiptWithUrlSchema } from "./receipt-schema.ts";
import {
  appArgument,
  commandIdArgument,
  expectedVersionArgument,
  mimeArgument,
  pathArgument,
  sha256Argument,
} from "./schemas.ts";

const input = z.strictObject({
  app: appArgument,
  path: pathArgument,
  text: z.string().optional().describe("the content, stored as UTF-8"),
  data_base64: z.string().optional().describe("the content in standard base64, line breaks allowed"),
  mime: mimeArgument,
  expected_version: expectedVersionArgument,
  append: z.boolean().default(false).describe("add to the end; a missing file is created"),
  expected_sha256: sha256Argument.describe("of the bytes sent in this call"),
  command_id: commandIdArgument,
});

/** Writes a whole file, or adds to one. */
export const fileWrite = defineTool({
  name: "file_write",
  title: "Store an app file",
  description:
    "Store a file of an app: create it, replace all of its content, or append. Give text or data_base64, not both. " +
    "For small changes in a text use file_edit. 5 MiB a call, append up to 16 MiB in all; for more use file_write_begin. " +
    "Apps and folders need no creation. The replaced version stays in file_history for a while. " +
    "To overwrite nobody's work, pass the version that you read as expected_version: a conflict writes nothing and tells what is there. " +
    "Paths that differ in case alone cannot both exist. An answer means that it is on disk.",
  effect: "overwrite",
  input,
  output: receiptSchema,
  subject: ({ app, path }) => `${app} ${path}`,
  failures: [
    "INVALID_ARGUMENT",
    "INVALID_APP",
    "APP_NOT_ALLOWED",
    "INVALID_PATH",
    "INVALID_BASE64",
    "PATH_COLLISION",
    "VERSION_CONFLICT",
    "SHA256_MISMATCH",
    "LIMIT_EXCEEDED",
    "COMMAND_ID_REUSED",
    "CORRUPT",
    "STORE_UNAVAILABLE",
  ],
  async run(args, { store, detector, limits, policy, web }, { client, signal }) {
    const receipt = await writeFile(
      {
        app: parseApp(args.app, policy),
        path: parsePath(args.path),
        bytes: contentOf(args),
        append: args.append,
        mime: args.mime === undefined ? undefined : parseMime(args.mime),
        expectedVersion: args.expected_version,
        expectedSha256: args.expected_sha256?.toLowerCase(),
        commandId: parseCommandId(args.command_id),
        client: plainClientName(client),
      },
      { store, detector, limits },
      { signal },
    );
    return describeWritten(receipt, web);
  },
});

/** The same over HTTP. */
export const fileWriteOverHttp = defineTool({ ...fileWrite, output: receiptWithUrlSchema });

/** @throws AppFilesError INVALID_ARGUMENT, INVALID_BASE64 */
function contentOf({ text, data_base64: base64 }: z.output<typeof input>): Uint8Array {
  if (text !== undefined && base64 === undefined) {
    if (text.isWellFormed()) return new TextEncoder().encode(text);
    throw new AppFilesError("INVALID_ARGUMENT", {
      argument: "text",
      problem: "has half of a surrogate pair in it, which no UTF-8 file can hold",
      next: "Call again with text as valid Unicode, or with the bytes as data_base64.",
    });
  }
  if (base64 !== undefined && text === undefined) return decodeBase64(base64);
  throw new AppFilesError("INVALID_ARGUMENT", {
    argument: text === undefined ? "text" : "data_base64",
    problem: text === undefined ? "is missing, and data_base64 too" : "cannot be used together with text",
    next: "Call again with either text or data_base64.",
  });
}
