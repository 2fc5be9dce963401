import { eot } from "@mcp-file-servers/core";
import * as z from "zod";
import { setMode } from "../domain/changing/set-mode.ts";
import { defineTool } from "./define.ts";
import { remotePath, targetArgument } from "./entry-schema.ts";
import { changeCodes } from "./failures.ts";
import { modeArgument, parseMode } from "./mode-schema.ts";

export const fileSetMode = defineTool({
  name: "file_set_mode",
  title: "Set a file's permissions on a QNX target",
  description: [
    "Set the permission bits of one file or directory on a target, such as to make a program executable.",
    "file_put sets them on what it copies. Links are refused: pass the path that file_stat shows in leads_to. Owner and group stay as they are.",
    "mode_after is what the target tells afterwards; some file systems keep permissions of their own.",
  ].join(" "),
  effect: "overwrite",
  idempotent: true,
  input: z.strictObject({
    target: targetArgument,
    path: remotePath.describe("a file or directory below a write root"),
    mode: modeArgument("all permission bits"),
  }),
  output: z.object({
    target: z.string(),
    path: z.string(),
    real_path: z.string(),
    mode_before: z.string().nullable(),
    mode_after: z.string().nullable(),
    eot,
  }),
  failures: [...changeCodes, "IS_LINK"],
  async run({ target, path, mode }, { targets }, { signal }) {
    const open = await targets.open(target, signal);
    const { realPath, before, after } = await setMode(open, path, parseMode(mode), signal);
    return { target, path, real_path: realPath, mode_before: before, mode_after: after };
  },
});
