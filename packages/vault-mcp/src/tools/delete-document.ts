import { eot, takeWithin } from "@mcp-file-servers/core";
import * as z from "zod";
import { deleteDocument as remove } from "../domain/writing/delete-document.ts";
import { noteOf } from "../domain/writing/describe-change.ts";
import { defineTool } from "./define.ts";
import { documentFailures, ifMatchArgument, noteField, pathArgument } from "./writing-schemas.ts";

export const deleteDocument = defineTool({
  name: "delete_document",
  title: "Delete Document",
  description:
    "Moves a note or attachment to .trash/ inside the vault, under its own path, where Obsidian keeps deleted files too; nothing lists or finds it there. restore_document brings it back, and so does moving the file by hand. Use rename_path to move a document elsewhere, edit_document to empty a part of it. Links to it stay as they are; the answer lists those that point to nothing then. Folders are not deleted.",
  effect: "delete",
  input: z.strictObject({ path: pathArgument, if_match: ifMatchArgument }),
  output: z.object({
    path: z.string(),
    trash_path: z.string().describe("where it is now"),
    version: z.string().optional().describe("for restore_document"),
    broken_links: z.int().describe("links that point to nothing now"),
    links: z
      .array(z.object({ path: z.string(), line: z.int(), text: z.string() }))
      .describe("those links, as many as fit"),
    note: noteField,
    eot,
  }),
  failures: [...documentFailures, "TOO_LARGE", "ETAG_MISMATCH"],
  async run({ path, if_match }, deps, { budget, signal }) {
    const deleted = await remove(deps, path, if_match, signal);
    const links = deleted.brokenLinks.map(({ source, line, text }) => ({
      path: source,
      line,
      text: text.slice(0, 300).toWellFormed(),
    }));
    return {
      path: deleted.path,
      trash_path: deleted.trashPath,
      ...(deleted.version !== undefined && { version: deleted.version }),
      broken_links: links.length,
      links: takeWithin(links, budget - 4_000),
      ...noteOf(deleted.notes),
    };
  },
});
