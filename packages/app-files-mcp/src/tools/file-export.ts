import { eot } from "@mcp-file-servers/core";
import * as z from "zod";
import { parseApp } from "../domain/app-name.ts";
import { exportFile } from "../domain/export-file.ts";
import { parsePath } from "../domain/file-path.ts";
import { type Deps, defineTool } from "./define.ts";
import { appArgument, count, localPathArgument, ordinal, pathArgument, sha256 } from "./schemas.ts";

const what =
  "Write the current content of an app's file to the server's disk, whatever its size, without passing its bytes through the conversation; to look at it use file_read. " +
  "Only below the --root directories: a refusal names them, links that lead out are refused, missing folders are made. ";

const whole = "The bytes are verified on their way; the file appears whole or not at all.";

const failures = [
  "INVALID_ARGUMENT",
  "INVALID_APP",
  "APP_NOT_ALLOWED",
  "INVALID_PATH",
  "NOT_FOUND",
  "CORRUPT",
  "LOCAL_PATH_REFUSED",
  "LOCAL_EXISTS",
  "LOCAL_NOT_FOUND",
  "LOCAL_UNAVAILABLE",
  "STORE_UNAVAILABLE",
];

const createInput = z.strictObject({ app: appArgument, path: pathArgument, local_path: localPathArgument });

const input = createInput.extend({
  overwrite: z.boolean().default(false).describe("replace a file on the disk"),
});

const output = z.object({
  app: z.string(),
  path: z.string(),
  version: ordinal,
  local_path: z.string().describe("where it was written"),
  size: count.describe("bytes"),
  sha256,
  eot,
});

type Arguments = z.output<typeof createInput> & { readonly overwrite?: boolean };

/** Copies a file of an app to the disk. */
export const fileExport = defineTool({
  name: "file_export",
  title: "Export a file to disk",
  description: `${what}A file on the disk that exists is refused unless overwrite is true: what it held is then gone. ${whole}`,
  effect: "overwrite",
  idempotent: true,
  input,
  output,
  failures,
  subject: ({ app, path }) => `${app} ${path}`,
  run: (args, deps, { signal, progress }) => run(args, deps, signal, progress),
});

/** The same for a server that changes nothing: it adds files to the disk and never replaces one. */
export const fileExportNew = defineTool({
  name: "file_export",
  title: "Export a file to disk",
  description: `${what}A file on the disk that exists is never replaced here. ${whole}`,
  effect: "create",
  input: createInput,
  output,
  failures,
  subject: ({ app, path }) => `${app} ${path}`,
  run: (args, deps, { signal, progress }) => run(args, deps, signal, progress),
});

async function run(
  args: Arguments,
  deps: Deps,
  signal: AbortSignal,
  progress: (done: number, total: number) => void,
) {
  const order = {
    app: parseApp(args.app, deps.policy),
    path: parsePath(args.path),
    localPath: args.local_path,
    overwrite: args.overwrite ?? false,
  };
  const { record, localPath } = await exportFile(order, deps, { signal }, progress);
  const { path, version, size, sha256: hash } = record;
  return { app: order.app, path, version, local_path: localPath, size, sha256: hash };
}
