import { anyJson } from "@mcp-file-servers/core";
import * as z from "zod";

export const pathArgument = z.string().describe('relative to the vault, such as "Folder/Note.md"');

export const ifMatchArgument = z
  .string()
  .optional()
  .describe("etag of the content that was read; refused when it is another by now");

export const dryRunArgument = z.boolean().default(false).describe("show the diff, write nothing");

export const frontmatterArgument = z.record(z.string(), anyJson("value of the key"));

export const replacedVersion = z.string().optional().describe("for restore_document: what was replaced");

export const noteField = z.string().optional().describe("what to know about this answer");

/** What a change of text answers with. */
export const changeFields = {
  path: z.string(),
  changed: z.boolean().describe("whether the file was written"),
  diff: z.string().describe("unified; empty where nothing changes"),
  etag: z.string().describe("partial: not for write_document"),
  replaced_version: replacedVersion,
  note: noteField,
};

/** Codes of every writer of an existing document. */
export const documentFailures = [
  "INVALID_ARGUMENT",
  "NOT_FOUND",
  "PATH_OUTSIDE_VAULT",
  "PATH_HIDDEN",
  "NOT_A_FILE",
  "KIND_NOT_SERVED",
  "NOT_WRITTEN",
  "VAULT_UNREADABLE",
];
