import { cursorArgument, limitArgument } from "@mcp-file-servers/core";
import * as z from "zod";
import { listProperties as list } from "../domain/survey/list-properties.ts";
import { definePagedTool } from "./define.ts";
import { smallPageFields } from "./page-schemas.ts";

export const listProperties = definePagedTool({
  name: "list_properties",
  title: "List Properties",
  description:
    "Lists the frontmatter keys of the vault's notes, with the kinds of their values and how many notes have each; with key, the values of that key and how many notes have each. Call it before you filter by a key or value that you have not seen. For notes by value use list_documents with filters; for tags of the text too use list_tags.",
  effect: "read",
  input: z.strictObject({
    key: z.string().optional().describe('a key whose values are wanted, nested ones as "a.b"'),
    limit: limitArgument(200, 1_000),
    cursor: cursorArgument,
  }),
  output: z.object({
    properties: z
      .array(
        z.object({
          key: z.string().optional(),
          types: z.array(z.string()).optional().describe("text, number, boolean, list, mapping, null"),
          value: z.string().optional().describe("of key; of lists each member"),
          notes: z.int(),
        }),
      )
      .describe("the most used first"),
    total: z.int(),
    index_stale: z.boolean(),
    ...smallPageFields,
  }),
  failures: ["INVALID_ARGUMENT", "INVALID_CURSOR", "VAULT_UNREADABLE"],
  paging: {
    list: "properties",
    key: z.tuple([z.string()]),
    walk: z.object({ epoch: z.string(), generation: z.int().min(0) }),
  },
  async run({ key, limit }, deps, { after, walk, signal, progress: report }) {
    const page = await list({ key, limit }, deps, { after: after?.[0], walk }, signal, report);
    return {
      entries: page.properties.map(({ name, types, ...rest }) => ({
        entry: { ...rest, ...(types !== undefined && { types: [...types] }) },
        key: [name] as [string],
      })),
      more: page.more,
      fields: { total: page.total, index_stale: page.progress.stale },
      walk: page.walk,
      note: page.note,
      meta: { index_stale: page.progress.stale },
    };
  },
});
