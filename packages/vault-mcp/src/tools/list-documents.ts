import { anyJson, cursorArgument, limitArgument, pageFields } from "@mcp-file-servers/core";
import * as z from "zod";
import { toListEntry } from "../domain/listing/list-entry.ts";
import { listNote } from "../domain/listing/list-note.ts";
import { parseListQuery } from "../domain/listing/list-query.ts";
import type { SortPosition } from "../domain/listing/sort-order.ts";
import { definePagedTool } from "./define.ts";
import { entrySchema } from "./entry-schemas.ts";

const firstIndexMs = 5_000;
const pendingWritesMs = 30_000;

const positionSchema = z.tuple([z.string(), z.int().min(0).max(2), z.number(), z.string()]);

export const listDocuments = definePagedTool({
  name: "list_documents",
  title: "List Documents",
  description:
    "Lists the notes of the vault, and attachments on request, with their metadata: path, title, frontmatter, tags, times, sizes. Use it to enumerate or to select by folder, frontmatter, path pattern, tags or modification time. It does not look into the text: take a path from here to read_document. All selections must hold together. A note whose frontmatter is broken is listed with parse_error, and filters never match it. Hidden files (dot names, node_modules, what the owner excludes) are never listed. Pages hold 40,000 bytes by default, whatever limit says; follow next_cursor until it is null. Sorted by path, a walk misses nothing that stays; sorted otherwise, documents that change between pages are left out and note says so. Where nothing matches, note names the nearest folder, key, value or tag. index_stale: true means that the answer may lag behind the disk.",
  effect: "read",
  input: z.strictObject({
    folder: z
      .string()
      .optional()
      .describe('that folder and everything below it; "" is the root level only; absent means all'),
    filters: z
      .record(z.string(), anyJson("a value or an object of operators"))
      .optional()
      .describe(
        'frontmatter conditions, such as {"status": "draft", "due": {"lt": "2031-02-01"}}. A key may be nested (a.b). A value: equal, or a member of a list; a list: all of them. Operators: eq, ne, in, gt, gte, lt, lte, exists; ne also matches notes without the key. Text ignores case; "5" equals 5. In an OKF bundle status, stale and trust_tier are derived values',
      ),
    pattern: z
      .string()
      .optional()
      .describe(
        'glob on the path: * within a folder, ** across, ?, [a-z], {a,b}; without a slash on the file name at any depth, such as "*meeting*.md"',
      ),
    tags: z
      .array(z.string())
      .max(100)
      .optional()
      .describe(
        'tags of frontmatter and body that a note must all have; a matches a/b; "!a" must not be there',
      ),
    modified_after: z
      .string()
      .optional()
      .describe("date or date-time from which on; without an offset local time"),
    modified_before: z.string().optional().describe("date or date-time before which"),
    include_attachments: z
      .boolean()
      .default(false)
      .describe("also list images, PDFs and other files; not with filters"),
    sort: z
      .string()
      .default("path")
      .describe("path, title, modified, created, size, or frontmatter.KEY; what lacks the value comes last"),
    order: z.enum(["asc", "desc"]).default("asc").describe("direction of sort"),
    include_frontmatter: z.boolean().default(true).describe("false keeps pages small"),
    limit: limitArgument(100, 1_000),
    cursor: cursorArgument,
    wait_for_pending_writes: z
      .boolean()
      .default(false)
      .describe("first take in what changed on the disk before this call, for 30 s at most"),
  }),
  output: z.object({
    result: z.array(entrySchema),
    total: z.int().describe("documents of all pages"),
    index_stale: z.boolean(),
    ...pageFields,
  }),
  failures: [
    "INVALID_ARGUMENT",
    "INVALID_CURSOR",
    "PATH_OUTSIDE_VAULT",
    "PATH_HIDDEN",
    "PATTERN_TOO_COSTLY",
    "VAULT_UNREADABLE",
  ],
  paging: {
    list: "result",
    shape: ["include_frontmatter", "wait_for_pending_writes"],
    key: positionSchema,
    walk: z.object({ epoch: z.string(), generation: z.int().min(0) }).optional(),
  },
  async run(args, { index, place, visibility }, { after, walk, signal, progress: report }) {
    const query = parseListQuery(args, place, visibility);
    const settled = args.wait_for_pending_writes ? await index.settle(pendingWritesMs, signal, report) : true;
    const progress = await index.ready(firstIndexMs, signal, report);
    const byPath = query.order.key === "path";
    const page = await index.list({ query, after: toPosition(after), walk, limit: args.limit });
    const stale = progress.stale || !settled;
    const entries = page.documents.map((listed) => ({
      ...toListEntry(listed, args.include_frontmatter),
      key: toKey(listed.position),
    }));
    return {
      entries,
      more: page.more,
      fields: { total: page.total, index_stale: stale },
      ...(!byPath && { walk: page.walk }),
      note: listNote({
        page,
        progress,
        timedOut: !settled,
        filtersExcludeAttachments: args.include_attachments && query.conditions.length > 0,
        shortened: entries.some(({ shortened }) => shortened),
      }),
      meta: { index_stale: stale },
    };
  },
});

type Key = z.output<typeof positionSchema>;

function toKey({ path, rank, number, text }: SortPosition): Key {
  return [path, rank, number, text];
}

function toPosition(key: Key | undefined): SortPosition | undefined {
  if (key === undefined) return undefined;
  const [path, rank, number, text] = key;
  return { path, rank: rank as SortPosition["rank"], number, text };
}
