import { eot } from "@mcp-file-servers/core";
import * as z from "zod";
import { appendDocument } from "../domain/writing/append-document.ts";
import { noteOf } from "../domain/writing/describe-change.ts";
import { defineTool } from "./define.ts";
import { documentFailures, noteField, pathArgument, replacedVersion } from "./writing-schemas.ts";

export const appendToDocument = defineTool({
  name: "append_to_document",
  title: "Append to Document",
  description:
    "Adds text on lines of its own at the end of a note or text file, or of one section of a note, after its subsections; nothing that is there changes. Use it for logs, lists and journals: it needs no etag and calls at the same time lose nothing. Use edit_document to change text or add in the middle. A section that is not there is refused with the outline, never made; to add one, append its heading. A block id adds behind that block. Line endings are the note's own, and a missing final newline stays missing. Begin content with an empty line where a new paragraph is wanted.",
  effect: "create",
  idempotent: false,
  input: z.strictObject({
    path: pathArgument,
    content: z.string().describe("text to add"),
    section: z
      .string()
      .optional()
      .describe('heading with or without #, its path "A > B", or a block id "^id"'),
    create_if_missing: z.boolean().default(false).describe("make the document, with its folders"),
  }),
  output: z.object({
    path: z.string(),
    created: z.boolean(),
    etag: z.string().describe("partial: not for write_document"),
    replaced_version: replacedVersion,
    note: noteField,
    eot,
  }),
  failures: [
    ...documentFailures,
    "TOO_LARGE",
    "NOT_TEXT",
    "SECTION_NOT_FOUND",
    "SECTION_AMBIGUOUS",
    "FRONTMATTER_BROKEN",
    "NAME_NOT_ALLOWED",
    "ALREADY_EXISTS",
  ],
  async run({ path, content, section, create_if_missing }, deps, { signal }) {
    const request = { path, content, section, createIfMissing: create_if_missing };
    const { created, etag, notes, outcome, path: place } = await appendDocument(deps, request, signal);
    return {
      path: place,
      created,
      etag,
      ...(outcome?.kept !== undefined && { replaced_version: outcome.kept }),
      ...noteOf(notes),
    };
  },
});
