import { cutText, eot } from "@mcp-file-servers/core";
import * as z from "zod";
import { parseApp } from "../domain/app-name.ts";
import { parseCommandId } from "../domain/command.ts";
import { editFile } from "../domain/edit-file.ts";
import { parsePath } from "../domain/file-path.ts";
import { plainClientName } from "../domain/plain-text.ts";
import { defineTool } from "./define.ts";
import {
  appArgument,
  commandIdArgument,
  count,
  expectedVersionArgument,
  listRoom,
  ordinal,
  pathArgument,
  sha256,
} from "./schemas.ts";

/** Replaces pieces of a text file. */
export const fileEdit = defineTool({
  name: "file_edit",
  title: "Edit a text file",
  description:
    "Replace pieces of a UTF-8 text file (16 MiB at most) and leave all else as it is; to add at the end use file_write append. " +
    "Each old_text must stand in the file exactly once, case and spaces too: take in what is around it, or set replace_all. Its line feeds also match CRLF. " +
    "All edits apply or none, each to the file as it was; overlaps are refused. new_text is literal ($& stays) and takes over the line ends of its place. " +
    "The answer has the diff.",
  effect: "overwrite",
  input: z.strictObject({
    app: appArgument,
    path: pathArgument,
    edits: z
      .array(
        z.strictObject({
          old_text: z.string().describe("text as it stands in the file"),
          new_text: z.string().describe("text to stand there instead; may be empty"),
          replace_all: z.boolean().default(false).describe("every occurrence"),
        }),
      )
      .min(1)
      .max(100)
      .describe("replacements"),
    expected_version: expectedVersionArgument,
    dry_run: z.boolean().default(false).describe("show the diff, store nothing"),
    command_id: commandIdArgument,
  }),
  output: z.object({
    app: z.string(),
    path: z.string(),
    replacements: count,
    changed: z.boolean().describe("whether a new version was stored"),
    version: ordinal.describe("of the file as it is stored now, as are size and sha256"),
    size: count,
    sha256,
    diff: z.string().describe("unified"),
    files_version: count.optional().describe("of the app after a change"),
    note: z.string().optional(),
    eot,
  }),
  failures: [
    "INVALID_ARGUMENT",
    "INVALID_APP",
    "APP_NOT_ALLOWED",
    "INVALID_PATH",
    "NOT_FOUND",
    "NOT_TEXT",
    "EDIT_NOT_FOUND",
    "EDIT_AMBIGUOUS",
    "EDITS_OVERLAP",
    "VERSION_CONFLICT",
    "LIMIT_EXCEEDED",
    "CORRUPT",
    "COMMAND_ID_REUSED",
    "STORE_UNAVAILABLE",
  ],
  subject: ({ app, path }) => `${app} ${path}`,
  async run(args, { store, diffTexts, policy }, { budget, client, signal }) {
    const app = parseApp(args.app, policy);
    const order = {
      app,
      path: parsePath(args.path),
      edits: args.edits.map(({ old_text: oldText, new_text: newText, replace_all: replaceAll }) => ({
        ...{ oldText, newText, replaceAll },
      })),
      expectedVersion: args.expected_version,
      dryRun: args.dry_run,
      commandId: parseCommandId(args.command_id),
      client: plainClientName(client),
    };
    const { record, filesVersion, edit } = await editFile(order, { store, diffTexts }, { signal });
    const { path, version, size, sha256: hash } = record;
    const diff = cutText(edit.diff, listRoom(budget));
    const isSame = edit.diff === "" && !edit.isDiffCut;
    const notes = [
      ...(isSame ? ["The text is the same as before, so nothing was stored."] : []),
      ...(edit.isDiffCut || diff.length < edit.diff.length
        ? ["The diff does not show all of the change."]
        : []),
    ];
    return {
      app,
      path,
      replacements: edit.replacements,
      changed: filesVersion !== undefined,
      version,
      size,
      sha256: hash,
      diff,
      ...(filesVersion !== undefined && { files_version: filesVersion }),
      ...(notes.length > 0 && { note: notes.join(" ") }),
    };
  },
});
