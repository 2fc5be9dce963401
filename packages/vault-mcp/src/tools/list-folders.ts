import { cursorArgument, limitArgument } from "@mcp-file-servers/core";
import * as z from "zod";
import { listFolders as list } from "../domain/survey/list-folders.ts";
import { definePagedTool } from "./define.ts";
import { smallPageFields } from "./page-schemas.ts";

export const listFolders = definePagedTool({
  name: "list_folders",
  title: "List Folders",
  description:
    "Shows how the vault is laid out: its folders, empty ones too, with how many notes and attachments lie in each and below it. Use it first in a vault that you do not know, with depth 1 for the top level. For the notes of a folder use list_documents.",
  effect: "read",
  input: z.strictObject({
    folder: z.string().default("").describe('where to begin; "" is the root'),
    depth: z.int().min(0).max(100).optional().describe("levels below folder; absent means all"),
    limit: limitArgument(200, 1_000),
    cursor: cursorArgument,
  }),
  output: z.object({
    folders: z.array(
      z.object({
        path: z.string().describe("empty for the root"),
        notes: z.int().describe("in it"),
        attachments: z.int(),
        total_notes: z.int().describe("in it and below"),
        total_attachments: z.int(),
      }),
    ),
    total: z.int(),
    index_stale: z.boolean(),
    ...smallPageFields,
  }),
  failures: ["INVALID_ARGUMENT", "INVALID_CURSOR", "PATH_OUTSIDE_VAULT", "PATH_HIDDEN", "VAULT_UNREADABLE"],
  paging: { list: "folders", key: z.tuple([z.string()]) },
  async run({ folder, depth, limit }, deps, { after, signal, progress: report }) {
    const page = await list({ folder, depth, after: after?.[0], limit }, deps, signal, report);
    return {
      entries: page.folders.map((counts) => ({
        entry: {
          path: counts.path,
          notes: counts.notes,
          attachments: counts.attachments,
          total_notes: counts.totalNotes,
          total_attachments: counts.totalAttachments,
        },
        key: [counts.path] as [string],
      })),
      more: page.more,
      fields: { total: page.total, index_stale: page.progress.stale },
      note: page.note,
      meta: { index_stale: page.progress.stale },
    };
  },
});
