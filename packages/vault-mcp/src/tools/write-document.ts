import { eot } from "@mcp-file-servers/core";
import * as z from "zod";
import { noteOf } from "../domain/writing/describe-change.ts";
import { writeDocument as write } from "../domain/writing/write-document.ts";
import { defineTool } from "./define.ts";
import {
  documentFailures,
  frontmatterArgument,
  noteField,
  pathArgument,
  replacedVersion,
} from "./writing-schemas.ts";

export const writeDocument = defineTool({
  name: "write_document",
  title: "Write Document",
  description:
    "Creates a note or attachment with its folders, or replaces one as a whole. For changes to a part use edit_document, append_to_document or set_frontmatter: they are safer and need less text. A new path needs no etag. What exists is replaced only with if_match as the whole etag of read_document: a partial one (from a list, a part, another writer) is refused, since what was not read would be lost. content is the complete text, frontmatter block included; or give frontmatter apart and content without a block. data_base64 is for binary attachments of the served kinds. Names that Obsidian or another system cannot hold are refused with the reason. The replaced content is kept for 30 days: restore_document brings it back.",
  effect: "overwrite",
  idempotent: false,
  input: z.strictObject({
    path: pathArgument,
    content: z.string().optional().describe("complete text"),
    data_base64: z.string().optional().describe("bytes of an attachment, instead of content"),
    frontmatter: frontmatterArgument.optional().describe("properties of a note, as an object"),
    if_match: z.string().optional().describe("whole etag of what is replaced; leave out for a new path"),
  }),
  output: z.object({
    path: z.string(),
    created: z.boolean(),
    etag: z.string().describe("of the whole content"),
    size_bytes: z.int(),
    replaced_version: replacedVersion,
    note: noteField,
    eot,
  }),
  failures: [
    ...documentFailures,
    "TOO_LARGE",
    "ETAG_REQUIRED",
    "ETAG_MISMATCH",
    "READ_INCOMPLETE",
    "FRONTMATTER_BROKEN",
    "FRONTMATTER_NOT_EDITABLE",
    "NAME_NOT_ALLOWED",
    "ALREADY_EXISTS",
  ],
  async run({ path, content, data_base64, frontmatter, if_match }, deps, { signal }) {
    const request = { path, content, dataBase64: data_base64, frontmatter, ifMatch: if_match };
    const written = await write(deps, request, signal);
    const { replacedVersion: replaced } = written;
    return {
      path: written.path,
      created: written.created,
      etag: written.etag,
      size_bytes: written.sizeBytes,
      ...(replaced !== undefined && { replaced_version: replaced }),
      ...noteOf(written.notes),
    };
  },
});
