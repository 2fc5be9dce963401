import { cutText, eot, takeWithin } from "@mcp-file-servers/core";
import * as z from "zod";
import { describeRename } from "../domain/writing/rename/describe-rename.ts";
import { renamePath as rename } from "../domain/writing/rename/rename-path.ts";
import { defineTool } from "./define.ts";
import { documentFailures, dryRunArgument, noteField, pathArgument } from "./writing-schemas.ts";

export const renamePath = defineTool({
  name: "rename_path",
  title: "Rename Path",
  description:
    "Renames or moves a note, an attachment or a folder with all that is in it, and keeps every link whole: links to it, links inside what moved, and others that would lead elsewhere then. Each is rewritten in its own style and as short as it was where that stays unambiguous; frontmatter and canvases too, code is left alone. Folders above new_path are made. Never onto something that exists; a change of case alone works. To copy or rewrite a note use write_document. Done as one: after a crash the server completes it. A large vault takes seconds; dry_run shows every change first. links_changed counts what is changed on the disk.",
  effect: "overwrite",
  idempotent: false,
  input: z.strictObject({
    path: pathArgument,
    new_path: z.string().describe("whole new path, extension included"),
    update_links: z.boolean().default(true).describe("false leaves every text as it is"),
    dry_run: dryRunArgument,
  }),
  output: z.object({
    path: z.string(),
    new_path: z.string(),
    renamed: z.boolean(),
    links_changed: z.int(),
    files_changed: z.int(),
    files: z
      .array(
        z.object({
          path: z.string().describe("after the rename"),
          links: z.array(z.object({ line: z.int(), before: z.string(), after: z.string() })),
        }),
      )
      .describe("as many as fit"),
    diff: z.string().optional().describe("of a dry run"),
    note: noteField,
    eot,
  }),
  failures: [...documentFailures, "NAME_NOT_ALLOWED", "ALREADY_EXISTS"],
  async run({ path, new_path, update_links, dry_run }, deps, { budget, signal, progress }) {
    const request = { path, newPath: new_path, updateLinks: update_links, dryRun: dry_run };
    const renamed = await rename(deps, request, signal, progress);
    const { diffTexts } = await deps.loadEditingTools();
    return describeRename(renamed, { budget, diffTexts, cutText, takeWithin });
  },
});
