import * as z from "zod";
import { parseApp } from "../domain/app-name.ts";
import { decodeBase64 } from "../domain/base64.ts";
import { AppFilesError } from "../domain/errors.ts";
import { parsePath } from "../domain/file-path.ts";
import { parseMime } from "../domain/mime.ts";
import { parsePlainText, plainClientName } from "../domain/plain-text.ts";
import { writeFile } from "../domain/write-file.ts";
import { defineTool } from "./define.ts";
import { describeReceipt, receiptSchema } from "./receipt-schema.ts";
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
  text: z.string().optional().describe("the content of a text file, stored as UTF-8; or data_base64"),
  data_base64: z
    .string()
    .optional()
    .describe(
      "the content of any file in standard base64; line breaks and missing padding are fine; or text",
    ),
  mime: mimeArgument,
  expected_version: expectedVersionArgument,
  append: z
    .boolean()
    .default(false)
    .describe("add to the end of the file (created when missing) instead of replacing it"),
  expected_sha256: sha256Argument.describe("SHA-256 of the bytes sent in this call; others are refused"),
  command_id: commandIdArgument,
});

/** Writes a whole file, or adds to one. */
export const fileWrite = defineTool({
  name: "file_write",
  title: "Store an app file",
  description:
    "Store a file of an app: create it, replace its content, or with append add to its end. Give the content as text or as data_base64, never both. " +
    "Use it for attachments and exports that must be there in later chats; read them back with file_read, find them with file_list. " +
    "The app comes into being with its first file, folders need no creation. Up to 5 MiB a call; append several calls for more, up to 16 MiB in all, or use file_write_begin. " +
    "A replaced version stays readable with file_read version for a while. To change what you have read without overwriting somebody else's work, pass its version as expected_version: a conflict tells the current version, size and sha256 and writes nothing. " +
    "A path that differs from another only in case, or that is both file and folder, is refused, and so is what exceeds the app's limits (see usage in file_list). " +
    "An answer means that the file is on disk.",
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
  async run(args, { store, detector, limits, policy }, { client, signal }) {
    const receipt = await writeFile(
      {
        app: parseApp(args.app, policy),
        path: parsePath(args.path),
        bytes: contentOf(args),
        append: args.append,
        mime: args.mime === undefined ? undefined : parseMime(args.mime),
        expectedVersion: args.expected_version,
        expectedSha256: args.expected_sha256?.toLowerCase(),
        commandId: args.command_id === undefined ? undefined : parsePlainText(args.command_id, "command_id"),
        client: plainClientName(client),
      },
      { store, detector, limits },
      { signal },
    );
    return describeReceipt(receipt);
  },
});

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
