import { eot } from "@mcp-file-servers/core";
import * as z from "zod";
import { receiptFields } from "./receipt-schema.ts";
import {
  appArgument,
  commandIdArgument,
  count,
  expectedVersionArgument,
  ordinal,
  pathArgument,
} from "./schemas.ts";

/** The arguments of a copy and of a move. */
export const transferInput = z.strictObject({
  app: appArgument,
  path: pathArgument,
  new_path: z.string().describe("path of the new file"),
  new_app: z.string().optional().describe("its app, if another"),
  overwrite: z.boolean().default(false).describe("replace a file at new_path"),
  expected_version: expectedVersionArgument.describe("required current version of path"),
  command_id: commandIdArgument,
});

export const transferOutput = z.object({
  ...receiptFields,
  from: z.object({
    app: z.string(),
    path: z.string(),
    version: ordinal,
    files_version: count.describe("of that app now"),
  }),
  eot,
});

export const transferFailures = [
  "INVALID_ARGUMENT",
  "INVALID_APP",
  "APP_NOT_ALLOWED",
  "INVALID_PATH",
  "NOT_FOUND",
  "FILE_EXISTS",
  "PATH_COLLISION",
  "VERSION_CONFLICT",
  "LIMIT_EXCEEDED",
  "CORRUPT",
  "COMMAND_ID_REUSED",
  "STORE_UNAVAILABLE",
] as const;

type Arguments = z.output<typeof transferInput>;

export function transferSubject({ app, path, new_app, new_path }: Arguments): string {
  return `${app} ${path} to ${new_app ?? app} ${new_path}`;
}
