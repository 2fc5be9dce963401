import { eot } from "@mcp-file-servers/core";
import * as z from "zod";
import { parseApp } from "../domain/app-name.ts";
import { parsePath } from "../domain/file-path.ts";
import { importFile } from "../domain/import-file.ts";
import { parsePlainText, plainClientName } from "../domain/plain-text.ts";
import { defineTool } from "./define.ts";
import { describeReceipt, receiptFields } from "./receipt-schema.ts";
import { appArgument, commandIdArgument, localPathArgument, pathArgument } from "./schemas.ts";

/** Copies a file from the disk into an app. */
export const fileImport = defineTool({
  name: "file_import",
  title: "Import a file from disk",
  description:
    "Copy a file on the disk of the machine that this server runs on into an app, whatever its size, without its bytes passing through the conversation. " +
    "What exists only in the conversation goes by file_write; file_export is the way back. " +
    "Only files below the directories that the server was started with (--root) can be taken; a refusal names them, and links that lead out are refused. " +
    "An app file that exists is refused unless overwrite is true; what it held stays readable for a while with file_read version. " +
    "The file on the disk is left as it is; where it changes during the copy, nothing is stored. " +
    "An answer means that the copy is on disk; compare its sha256 where it matters.",
  effect: "overwrite",
  input: z.strictObject({
    app: appArgument,
    path: pathArgument,
    local_path: localPathArgument,
    overwrite: z.boolean().default(false).describe("replace the app's file where there is one"),
    command_id: commandIdArgument,
  }),
  output: z.object({ ...receiptFields, local_path: z.string().describe("where it was read"), eot }),
  failures: [
    "INVALID_ARGUMENT",
    "INVALID_APP",
    "APP_NOT_ALLOWED",
    "INVALID_PATH",
    "FILE_EXISTS",
    "PATH_COLLISION",
    "LOCAL_PATH_REFUSED",
    "LOCAL_NOT_FOUND",
    "LOCAL_UNAVAILABLE",
    "LIMIT_EXCEEDED",
    "COMMAND_ID_REUSED",
    "STORE_UNAVAILABLE",
  ],
  subject: ({ app, path }) => `${app} ${path}`,
  async run(args, deps, { client, signal, progress }) {
    const { receipt, localPath } = await importFile(
      {
        app: parseApp(args.app, deps.policy),
        path: parsePath(args.path),
        localPath: args.local_path,
        overwrite: args.overwrite,
        commandId: args.command_id === undefined ? undefined : parsePlainText(args.command_id, "command_id"),
        client: plainClientName(client),
      },
      deps,
      { signal },
      progress,
    );
    return { ...describeReceipt(receipt), local_path: localPath };
  },
});
