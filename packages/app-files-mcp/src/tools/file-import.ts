import { eot } from "@mcp-file-servers/core";
import * as z from "zod";
import { parseApp } from "../domain/app-name.ts";
import { parseCommandId } from "../domain/command.ts";
import { parsePath } from "../domain/file-path.ts";
import { importFile } from "../domain/import-file.ts";
import { plainClientName } from "../domain/plain-text.ts";
import { defineTool } from "./define.ts";
import { describeReceipt, receiptFields } from "./receipt-schema.ts";
import { appArgument, commandIdArgument, localPathArgument, pathArgument } from "./schemas.ts";

/** Copies a file from the disk into an app. */
export const fileImport = defineTool({
  name: "file_import",
  title: "Import a file from disk",
  description:
    "Copy a file on the server's disk into an app, whatever its size, without passing its bytes through the conversation; file_export is the way back, file_write stores what only the conversation has. " +
    "Only files below the --root directories can be taken; a refusal names them, and links that lead out are refused. " +
    "An app file that exists is refused unless overwrite is true, and then stays in its history. When the file on disk changes during the copy, nothing is stored.",
  effect: "overwrite",
  input: z.strictObject({
    app: appArgument,
    path: pathArgument,
    local_path: localPathArgument,
    overwrite: z.boolean().default(false).describe("replace a file at path"),
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
        commandId: parseCommandId(args.command_id),
        client: plainClientName(client),
      },
      deps,
      { signal },
      progress,
    );
    return { ...describeReceipt(receipt), local_path: localPath };
  },
});
