import { cursorArgument, limitArgument } from "@mcp-file-servers/core";
import * as z from "zod";
import { listTags as list } from "../domain/survey/list-tags.ts";
import { definePagedTool } from "./define.ts";
import { smallPageFields } from "./page-schemas.ts";

export const listTags = definePagedTool({
  name: "list_tags",
  title: "List Tags",
  description:
    "Lists the tags in use, of frontmatter and of the text (#tag), with how many notes have each. A nested tag a/b counts for a too. For the notes of a tag use list_documents with tags; for other frontmatter keys use list_properties.",
  effect: "read",
  input: z.strictObject({
    prefix: z.string().default("").describe('only tags that begin so, such as "project/"'),
    sort: z.enum(["count", "name"]).default("count").describe("the most used first, or by name"),
    limit: limitArgument(200, 1_000),
    cursor: cursorArgument,
  }),
  output: z.object({
    tags: z.array(
      z.object({
        tag: z.string(),
        notes: z.int().describe("with it or a tag below it"),
        own: z.int(),
      }),
    ),
    total: z.int(),
    index_stale: z.boolean(),
    ...smallPageFields,
  }),
  failures: ["INVALID_ARGUMENT", "INVALID_CURSOR", "VAULT_UNREADABLE"],
  paging: {
    list: "tags",
    key: z.tuple([z.string()]),
    walk: z.object({ epoch: z.string(), generation: z.int().min(0) }),
  },
  async run(args, deps, { after, walk, signal, progress: report }) {
    const page = await list(args, deps, { after: after?.[0], walk }, signal, report);
    return {
      entries: page.tags.map((count) => ({ entry: { ...count }, key: [count.tag] as [string] })),
      more: page.more,
      fields: { total: page.total, index_stale: page.progress.stale },
      walk: page.walk,
      note: page.note,
      meta: { index_stale: page.progress.stale },
    };
  },
});
