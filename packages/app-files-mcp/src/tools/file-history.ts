import { cursorArgument, dateTime, limitArgument, pageFields } from "@mcp-file-servers/core";
import * as z from "zod";
import { parseApp } from "../domain/app-name.ts";
import { formatDateTime } from "../domain/date-time.ts";
import { parsePath } from "../domain/file-path.ts";
import { definePagedTool } from "./define.ts";
import { appArgument, count, ordinal, pathArgument, sha256 } from "./schemas.ts";

/** What is kept of a path's past. */
export const fileHistory = definePagedTool({
  name: "file_history",
  title: "Show a file's history",
  description:
    "List what is kept of one path's past, newest first: each version with size, sha256, time, client and how it came to be, and deletions; of a deleted file too. " +
    "Use it to choose the version for file_read or file_restore. For the changes of a whole app use file_list changed_since. What a file was before a move stays in the history of its old path.",
  effect: "read",
  input: z.strictObject({
    app: appArgument,
    path: pathArgument,
    limit: limitArgument(50, 200),
    cursor: cursorArgument,
  }),
  output: z.object({
    app: z.string(),
    path: z.string(),
    versions: z.array(
      z.object({
        version: ordinal,
        action: z.enum(["write", "copy", "move", "restore", "delete"]),
        current: z.boolean().optional().describe("true for the version that the file has now"),
        deleted: z.boolean().optional().describe("true where the file went: no version, version is its last"),
        size: count.optional(),
        mime: z.string().optional(),
        sha256: sha256.optional(),
        at: dateTime(),
        client: z.string(),
        files_version: count.describe("of the app after it"),
      }),
    ),
    total: count.describe("entries on all pages"),
    ...pageFields,
  }),
  failures: [
    "INVALID_ARGUMENT",
    "INVALID_CURSOR",
    "INVALID_APP",
    "APP_NOT_ALLOWED",
    "INVALID_PATH",
    "NOT_FOUND",
    "STORE_UNAVAILABLE",
  ],
  subject: ({ app, path }) => `${app} ${path}`,
  paging: { list: "versions", key: z.int() },
  async run(args, { store, policy }, { after, signal }) {
    const app = parseApp(args.app, policy);
    const path = parsePath(args.path);
    const { entries, more, total } = await store.history(
      { app, path, before: after, limit: args.limit },
      { signal },
    );
    return {
      entries: entries.map(({ version, action, isCurrent, isDeletion, filesVersion, ...entry }) => ({
        entry: {
          version,
          action,
          ...(isCurrent && { current: true }),
          ...(isDeletion ? { deleted: true } : { size: entry.size, mime: entry.mime, sha256: entry.sha256 }),
          at: formatDateTime(entry.at),
          client: entry.client,
          files_version: filesVersion,
        },
        key: filesVersion,
      })),
      more,
      fields: { app, path, total },
    };
  },
});
