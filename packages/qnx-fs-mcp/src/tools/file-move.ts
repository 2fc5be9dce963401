import { eot } from "@mcp-file-servers/core";
import * as z from "zod";
import { movePath } from "../domain/changing/move-path.ts";
import { entryTypes } from "../domain/entry-type.ts";
import { defineTool } from "./define.ts";
import { remotePath, targetArgument } from "./entry-schema.ts";
import { changeCodes } from "./failures.ts";

export const fileMove = defineTool({
  name: "file_move",
  title: "Move a file on a QNX target",
  description: [
    "Rename or move a file, link or directory on one target, within one file system.",
    "Nothing is replaced unless overwrite is true, and then only a file by a file: in one step where the target can, else by moving the old one aside (atomic: false).",
    "Between file systems, and in /dev/shmem, which knows no renaming, use file_get and file_put. A link is moved itself.",
  ].join(" "),
  effect: "overwrite",
  input: z.strictObject({
    target: targetArgument,
    path: remotePath.describe("what to move"),
    new_path: remotePath.describe("its whole new path, not the directory alone"),
    overwrite: z.boolean().default(false).describe("replace a file at new_path"),
  }),
  output: z.object({
    target: z.string(),
    real_path: z.string(),
    new_real_path: z.string(),
    type: z.enum(entryTypes).nullable(),
    replaced: z.boolean(),
    atomic: z.boolean().describe("never without a file at new_path"),
    note: z.string().optional(),
    eot,
  }),
  failures: [...changeCodes, "NOT_A_FILE", "ALREADY_EXISTS", "OUTCOME_UNKNOWN"],
  async run({ target, path, new_path: to, overwrite }, { targets, newId, sleep }, { signal }) {
    const open = await targets.open(target, signal);
    const reopen = (bounded: AbortSignal) => targets.open(target, bounded);
    const moved = await movePath(open, { from: path, to, overwrite }, { newId, reopen, sleep }, signal);
    return {
      target,
      real_path: moved.from,
      new_real_path: moved.to,
      type: moved.type,
      replaced: moved.replaced,
      atomic: moved.atomic,
      ...(moved.leftBackup !== undefined && {
        note: `The replaced file could not be removed and lies at ${moved.leftBackup}.`,
      }),
    };
  },
});
