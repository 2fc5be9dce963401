import { cursorArgument, dateTime, limitArgument, pageFields } from "@mcp-file-servers/core";
import * as z from "zod";
import { parsePrefix } from "../domain/change-target.ts";
import { formatDateTime } from "../domain/date-time.ts";
import { definePagedTool } from "./define.ts";
import { count } from "./schemas.ts";

/** The apps that have files. */
export const appList = definePagedTool({
  name: "app_list",
  title: "List apps",
  description:
    "List the apps that have files, by name, with usage, files_version and time of the last change; the limits are each app's. " +
    "Use it when the app is not known or to see where the space goes; file_list then shows one app's files. " +
    "Apps need no creation: they are here from their first file to their last.",
  effect: "read",
  input: z.strictObject({
    prefix: z.string().max(32).optional().describe("only names that start with it"),
    limit: limitArgument(100, 1_000),
    cursor: cursorArgument,
  }),
  output: z.object({
    apps: z.array(
      z.object({
        app: z.string(),
        usage: z.object({ bytes: count, count: count, history_bytes: count }),
        files_version: count,
        updated_at: dateTime(),
      }),
    ),
    limits: z.object({ file_bytes: count, app_bytes: count, app_files: count }),
    total: count.describe("apps on all pages"),
    ...pageFields,
  }),
  failures: ["INVALID_ARGUMENT", "INVALID_CURSOR", "STORE_UNAVAILABLE"],
  paging: { list: "apps", key: z.string() },
  async run({ prefix = "", limit }, { store, policy, limits }, { after, signal }) {
    const query = { allows: policy.allows, prefix: parsePrefix(prefix), after, limit };
    const { apps, more, total } = await store.listApps(query, { signal });
    const { file_bytes, app_bytes, app_files } = limits;
    return {
      entries: apps.map(({ app, usage: { bytes, count, historyBytes }, filesVersion, updatedAt }) => ({
        entry: {
          app,
          usage: { bytes, count, history_bytes: historyBytes },
          files_version: filesVersion,
          updated_at: formatDateTime(updatedAt),
        },
        key: app,
      })),
      more,
      fields: { limits: { file_bytes, app_bytes, app_files }, total },
    };
  },
});
