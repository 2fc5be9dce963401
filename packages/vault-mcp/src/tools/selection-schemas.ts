import { anyJson } from "@mcp-file-servers/core";
import * as z from "zod";

/** Arguments by which listing and search select documents alike; the long descriptions stand at list_documents. */
export const folderArgument = z
  .string()
  .optional()
  .describe('that folder and everything below it; "" is the root level only; absent means all');

export const searchFilters = z
  .record(z.string(), anyJson("a value or an object of operators"))
  .optional()
  .describe(
    'frontmatter conditions as in list_documents, such as {"status": "draft", "year": {"gte": 2030}}',
  );

export const searchPattern = z.string().optional().describe('glob on the path or name, such as "Journal/**"');

export const searchTags = z
  .array(z.string())
  .max(100)
  .optional()
  .describe('tags that a note must all have, or with "!a" not; a matches a/b');
