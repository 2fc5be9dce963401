import { anyJson, dateTime } from "@mcp-file-servers/core";
import * as z from "zod";

export const frontmatterSchema = z.record(z.string(), anyJson("value as written"));

export const parseErrorSchema = z
  .object({ line: z.int(), message: z.string() })
  .describe("only of a broken note");

export const okfSchema = z
  .object({
    type: z.string().optional(),
    status: z.string(),
    stale: z.boolean(),
    trust_tier: z.string(),
  })
  .describe("only in an OKF bundle");

/** A document in a list. */
export const entrySchema = z.object({
  path: z.string().describe("relative to the vault"),
  title: z.string(),
  folder: z.string().describe("empty for the root"),
  frontmatter: frontmatterSchema.optional(),
  modified_at: dateTime(),
  created_at: dateTime().optional(),
  size_bytes: z.int(),
  content_chars: z.int().optional().describe("characters of the body"),
  tags: z.array(z.string()).optional(),
  kind: z.enum(["note", "attachment"]),
  mime_type: z.string().optional().describe("of attachments"),
  etag: z.string().optional().describe("partial: good for comparing only"),
  okf: okfSchema.optional(),
  parse_error: parseErrorSchema.optional(),
});
