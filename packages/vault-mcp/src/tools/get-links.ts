import { cursorArgument, limitArgument } from "@mcp-file-servers/core";
import * as z from "zod";
import { getLinks as get } from "../domain/graph/get-links.ts";
import type { LinkPosition } from "../domain/graph/vault-graph.ts";
import { definePagedTool } from "./define.ts";
import { linkFields, toLinkEntry } from "./link-schemas.ts";
import { smallPageFields } from "./page-schemas.ts";

const keySchema = z.tuple([z.enum(["outlinks", "backlinks"]), z.string(), z.int()]);

export const getLinks = definePagedTool({
  name: "get_links",
  title: "Get Links",
  description:
    "Shows what a note or attachment links to and what links to it: wikilinks, embeds, Markdown links, links in frontmatter and canvases, each with its line and where it leads by Obsidian's rules. Use it to follow connections from one document whose path is known, or before one is deleted. For faults in the whole vault use check_links. Links in code and to web addresses are none.",
  effect: "read",
  input: z.strictObject({
    path: z.string().describe("note or attachment, relative to the vault"),
    direction: z
      .enum(["backlinks", "outlinks", "both"])
      .default("both")
      .describe("links to it, links in it, or both"),
    limit: limitArgument(100, 500),
    cursor: cursorArgument,
  }),
  output: z.object({
    links: z.array(z.object({ direction: z.enum(["outlink", "backlink"]), ...linkFields })),
    outlinks: z.int(),
    backlinks: z.int(),
    index_stale: z.boolean(),
    ...smallPageFields,
  }),
  failures: [
    "INVALID_ARGUMENT",
    "INVALID_CURSOR",
    "NOT_FOUND",
    "PATH_OUTSIDE_VAULT",
    "PATH_HIDDEN",
    "NOT_A_FILE",
    "KIND_NOT_SERVED",
    "VAULT_UNREADABLE",
  ],
  paging: { list: "links", key: keySchema },
  async run({ path, direction, limit }, deps, { after, signal, progress: report }) {
    const request = { path, direction, after: toPosition(after), limit };
    const { page, progress, note } = await get(request, deps, signal, report);
    return {
      entries: page.links.map(({ link, position }) => ({
        entry: {
          direction: position.direction === "outlinks" ? ("outlink" as const) : ("backlink" as const),
          ...toLinkEntry(link),
        },
        key: [position.direction, position.source, position.id] as z.output<typeof keySchema>,
      })),
      more: page.more,
      fields: { outlinks: page.outlinks, backlinks: page.backlinks, index_stale: progress.stale },
      note,
      meta: { index_stale: progress.stale },
    };
  },
});

function toPosition(key: z.output<typeof keySchema> | undefined): LinkPosition | undefined {
  if (key === undefined) return undefined;
  const [direction, source, id] = key;
  return { direction, source, id };
}
