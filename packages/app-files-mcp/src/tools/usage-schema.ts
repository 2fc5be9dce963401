import * as z from "zod";
import type { Usage } from "../domain/file-record.ts";
import type { Limits } from "../domain/limits.ts";
import { count } from "./schemas.ts";

/** What an app takes and may take. */
export const usageSchema = z.object({
  bytes: count.describe("of the current files of the whole app"),
  count: count.describe("current files of the whole app"),
  history_bytes: count.describe("of kept older versions; they count against no app's limit"),
  limits: z.object({ file_bytes: count, app_bytes: count, app_files: count }),
  remaining: z.object({ bytes: count, files: count }),
});

export function usageOf(usage: Usage, limits: Limits): z.input<typeof usageSchema> {
  const { file_bytes, app_bytes, app_files } = limits;
  return {
    bytes: usage.bytes,
    count: usage.count,
    history_bytes: usage.historyBytes,
    limits: { file_bytes, app_bytes, app_files },
    // Limits can be lowered below what is there already.
    remaining: {
      bytes: Math.max(0, app_bytes - usage.bytes),
      files: Math.max(0, app_files - usage.count),
    },
  };
}
