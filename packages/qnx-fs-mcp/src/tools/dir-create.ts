import { eot } from "@mcp-file-servers/core";
import * as z from "zod";
import { makeDirectory } from "../domain/changing/make-directory.ts";
import { defineTool } from "./define.ts";
import { remotePath, targetArgument } from "./entry-schema.ts";
import { changeCodes } from "./failures.ts";
import { modeArgument, parseMode } from "./mode-schema.ts";

export const dirCreate = defineTool({
  name: "dir_create",
  title: "Create a directory on a QNX target",
  description: [
    "Make a directory on a target, with parents: true also those above it that are missing.",
    "A directory that is there already is left as it is, and created is then empty; anything else under that name is refused.",
    "file_put with recursive makes the directories that it needs by itself. /dev/shmem, where /tmp may lead, takes no directories.",
  ].join(" "),
  effect: "create",
  idempotent: true,
  input: z.strictObject({
    target: targetArgument,
    path: remotePath.describe("the new directory, below a write root"),
    parents: z.boolean().default(false).describe("make the missing ones above it too"),
    mode: modeArgument("permissions of what is made").default("0755"),
  }),
  output: z.object({
    target: z.string(),
    path: z.string(),
    real_path: z.string(),
    created: z.array(z.string()).describe("what is new, the outermost first"),
    existed: z.boolean(),
    mode: z.string().nullable(),
    eot,
  }),
  failures: [...changeCodes, "NOT_A_DIRECTORY", "IS_LINK", "ALREADY_EXISTS", "NO_SPACE"],
  async run({ target, path, parents, mode }, { targets }, { signal }) {
    const open = await targets.open(target, signal);
    const made = await makeDirectory(open, path, { parents, mode: parseMode(mode) }, signal);
    return {
      target,
      path,
      real_path: made.realPath,
      created: [...made.created],
      existed: made.created.length === 0,
      mode: made.mode,
    };
  },
});
