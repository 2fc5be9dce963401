import { dateTime, eot } from "@mcp-file-servers/core";
import * as z from "zod";
import { parseApp } from "../domain/app-name.ts";
import { decodeBase64 } from "../domain/base64.ts";
import { formatDateTime } from "../domain/date-time.ts";
import { AppFilesError } from "../domain/errors.ts";
import { parsePath } from "../domain/file-path.ts";
import { parseMime } from "../domain/mime.ts";
import { parsePlainText, plainClientName } from "../domain/plain-text.ts";
import { writeFile } from "../domain/write-file.ts";
import { defineTool } from "./define.ts";
import { appArgument, byteCount, pathArgument, sha256, versionNumber } from "./schemas.ts";

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
  mime: z
    .string()
    .optional()
    .describe(
      "media type, such as text/csv; without it the file keeps the one it has, a new one's is detected",
    ),
  expected_version: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .optional()
    .describe("write only if this is the current version; 0: only if there is no such file"),
  append: z
    .boolean()
    .default(false)
    .describe("add to the end of the file (created when missing) instead of replacing it"),
  expected_sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, "must be 64 hex digits")
    .optional()
    .describe("SHA-256 of the bytes sent in this call; others are refused"),
  command_id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      "an id of your choice for this one write: the same call again within 30 days is not carried out twice",
    ),
});

/** Writes a whole file, or adds to one. */
export const fileWrite = defineTool({
  name: "file_write",
  title: "Store an app file",
  description:
    "Store a file of an app: create it, replace its content, or with append add to its end. Give the content as text or as data_base64, never both. " +
    "Use it for attachments and exports that must be there in later chats; read them back with file_read, find them with file_list. " +
    "The app comes into being with its first file, folders need no creation. Up to 5 MiB a call; append several calls for more, up to 16 MiB in all. " +
    "A replaced version stays readable with file_read version for a while. To change what you have read without overwriting somebody else's work, pass its version as expected_version: a conflict tells the current version, size and sha256 and writes nothing. " +
    "A path that differs from another only in case, or that is both file and folder, is refused, and so is what exceeds the app's limits (see usage in file_list). " +
    "An answer means that the file is on disk.",
  effect: "overwrite",
  input,
  output: z.object({
    app: z.string(),
    path: z.string().describe("as stored, in Unicode NFC"),
    size: byteCount.describe("bytes"),
    mime: z.string(),
    sha256: sha256.describe("of the whole file, lower-case hex"),
    version: versionNumber.describe("of this write; pass it as expected_version to the next"),
    created_at: dateTime(),
    updated_at: dateTime(),
    files_version: z.int().min(1).describe("of the app after this write"),
    eot,
  }),
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
    const { createdAt, updatedAt, filesVersion, ...rest } = receipt;
    return {
      ...rest,
      created_at: formatDateTime(createdAt),
      updated_at: formatDateTime(updatedAt),
      files_version: filesVersion,
    };
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
