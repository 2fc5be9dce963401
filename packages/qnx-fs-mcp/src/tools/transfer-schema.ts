import * as z from "zod";
import { remotePath } from "./entry-schema.ts";

/** Arguments of both transfers. */
export const transferArguments = {
  remote_path: remotePath.describe("absolute path on the target"),
  recursive: z.boolean().default(false).describe("a directory with its content, up to 2,000 files"),
  max_mb: z.int().min(1).max(16_000_000).default(256).describe("most MiB in all"),
  timeout_s: z.int().min(1).max(3600).default(45).describe("most seconds; clients may give up sooner"),
};

const longestList = 50;

/** What a tree left out. */
export const skippedSchema = z
  .array(z.object({ path: z.string(), reason: z.string() }))
  .describe("the first 50 of what was left out, such as links");

export function showSkipped(skipped: readonly { path: string; reason: string }[]) {
  return skipped.slice(0, longestList).map(({ path, reason }) => ({ path: path.slice(0, 300), reason }));
}

export const mebibyte = 1024 * 1024;
