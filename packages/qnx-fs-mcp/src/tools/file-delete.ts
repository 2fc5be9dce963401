import { eot } from "@mcp-file-servers/core";
import * as z from "zod";
import { deletePath } from "../domain/changing/delete-path.ts";
import { entryTypes } from "../domain/entry-type.ts";
import { defineTool } from "./define.ts";
import { remotePath, targetArgument } from "./entry-schema.ts";
import { changeCodes } from "./failures.ts";

export const fileDelete = defineTool({
  name: "file_delete",
  title: "Delete files on a QNX target",
  description: [
    "Remove one file or link on a target for good, or a directory with all that is in it.",
    "For a directory first call with recursive and dry_run: true, which counts and removes nothing; then pass its count as expected_count. When the count has changed meanwhile nothing is removed.",
    "Links are removed, never followed. Roots, and directories that hold one, are refused; so is a tree of over 10,000 entries.",
  ].join(" "),
  effect: "delete",
  input: z.strictObject({
    target: targetArgument,
    path: remotePath.describe("what to remove, below a write root"),
    recursive: z.boolean().default(false).describe("take a directory with its content"),
    expected_count: z.int().min(1).max(20_000).optional().describe("count that dry_run reported"),
    dry_run: z.boolean().default(false).describe("only count"),
  }),
  output: z.object({
    target: z.string(),
    path: z.string(),
    real_path: z.string(),
    type: z.enum(entryTypes),
    removed: z.boolean(),
    count: z.int().min(1).describe("entries, path itself among them"),
    bytes: z.int(),
    sample: z.array(z.string()),
    eot,
  }),
  failures: [...changeCodes],
  async run({ target, path, recursive, ...rest }, { targets }, { signal, progress }) {
    const open = await targets.open(target, signal);
    const request = { path, recursive, expectedCount: rest.expected_count, dryRun: rest.dry_run };
    const { realPath, type, count, bytes, sample } = await deletePath(open, request, progress, signal);
    return {
      target,
      path,
      real_path: realPath,
      type,
      removed: !rest.dry_run,
      count,
      bytes,
      sample: [...sample],
    };
  },
});
