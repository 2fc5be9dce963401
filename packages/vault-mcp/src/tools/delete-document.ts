import { eot } from "@mcp-file-servers/core";
import * as z from "zod";
import { deleteDocument as remove } from "../domain/writing/delete-document.ts";
import { noteOf } from "../domain/writing/describe-change.ts";
import { defineTool } from "./define.ts";
import { documentFailures, ifMatchArgument, noteField, pathArgument } from "./writing-schemas.ts";

export const deleteDocument = defineTool({
  name: "delete_document",
  title: "Delete Document",
  description:
    "Moves a note or attachment to .trash/ inside the vault, under its own path, where Obsidian keeps deleted files too; nothing lists or finds it there. restore_document brings it back, and so does moving the file by hand. Use rename_path to move a document elsewhere, edit_document to empty a part of it. Links to it stay as they are and point to nothing then. Folders are not deleted.",
  effect: "delete",
  input: z.strictObject({ path: pathArgument, if_match: ifMatchArgument }),
  output: z.object({
    path: z.string(),
    trash_path: z.string().describe("where it is now"),
    version: z.string().optional().describe("for restore_document"),
    note: noteField,
    eot,
  }),
  failures: [...documentFailures, "ETAG_MISMATCH"],
  async run({ path, if_match }, deps, { signal }) {
    const deleted = await remove(deps, path, if_match, signal);
    return {
      path: deleted.path,
      trash_path: deleted.trashPath,
      ...(deleted.version !== undefined && { version: deleted.version }),
      ...noteOf(deleted.notes),
    };
  },
});
