import { cursorArgument, limitArgument } from "@mcp-file-servers/core";
import * as z from "zod";
import { checkLinks as check } from "../domain/graph/check-links.ts";
import { definePagedTool } from "./define.ts";
import { linkFields, toLinkEntry } from "./link-schemas.ts";
import { smallPageFields } from "./page-schemas.ts";

const { source: _, ...ownFields } = linkFields;

export const checkLinks = definePagedTool({
  name: "check_links",
  title: "Check Links",
  description:
    "Looks at all links of the vault or a folder together. broken: links to no file or, where exists is true, to no such heading or block; orphans: notes without any link in or out, attachments that nothing links to; ambiguous: links whose name fits several files, with the candidates; most_linked: the documents that most others link to. For one document use get_links. With 100,000 notes it may take seconds.",
  effect: "read",
  input: z.strictObject({
    kind: z.enum(["broken", "orphans", "ambiguous", "most_linked"]).describe("what to find"),
    folder: z
      .string()
      .optional()
      .describe('where they lie, with everything below; "" is the root level only'),
    limit: limitArgument(100, 500),
    cursor: cursorArgument,
  }),
  output: z.object({
    found: z.array(
      z.object({
        path: z.string().describe("of the file that holds the link, or of the document itself"),
        link: z.object(ownFields).optional().describe("of broken and ambiguous"),
        backlinks: z.int().optional().describe("of most_linked: documents that link to it"),
      }),
    ),
    total: z.int(),
    index_stale: z.boolean(),
    ...smallPageFields,
  }),
  failures: ["INVALID_ARGUMENT", "INVALID_CURSOR", "PATH_OUTSIDE_VAULT", "PATH_HIDDEN", "VAULT_UNREADABLE"],
  paging: { list: "found", key: z.tuple([z.string(), z.int().min(0)]) },
  async run({ kind, folder, limit }, deps, { after, signal, progress: report }) {
    const position = after === undefined ? undefined : { path: after[0], id: after[1] };
    const { page, progress, note } = await check(
      { kind, folder, after: position, limit },
      deps,
      signal,
      report,
    );
    return {
      entries: page.found.map(({ path, link, backlinks }) => ({
        entry: {
          path,
          ...(link !== undefined && { link: toLinkEntry(link) }),
          ...(backlinks !== undefined && { backlinks }),
        },
        key: [path, link?.id ?? 0] as [string, number],
      })),
      more: page.more,
      fields: { total: page.total, index_stale: progress.stale },
      note,
      meta: { index_stale: progress.stale },
    };
  },
});
