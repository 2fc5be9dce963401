import { cursorArgument, dateTime, limitArgument } from "@mcp-file-servers/core";
import * as z from "zod";
import { titleOf } from "../domain/document.ts";
import { timeText, toOkfEntry } from "../domain/listing/list-entry.ts";
import { type ShownHit, searchDocuments as search } from "../domain/search/search-documents.ts";
import { definePagedTool } from "./define.ts";
import { okfSchema } from "./entry-schemas.ts";
import { smallPageFields } from "./page-schemas.ts";
import { folderArgument, searchFilters, searchPattern, searchTags } from "./selection-schemas.ts";

export const searchDocuments = definePagedTool({
  name: "search_documents",
  title: "Search Documents",
  description:
    'Finds notes by what is written in them and ranks them: title, headings and tags count more than the body. Each hit comes with its best sections: heading, line and a snippet with the found words in <mark>; pass the heading to read_document as section for the text. Use it for topics, names and quotes; to enumerate notes or select by properties alone use list_documents. All words but small ones (who, the) must be there; where no note has all, words that begin so count, then any, and note says so. "exact phrase" and -without work; nothing else has a meaning or is an error. match literal finds the text as it stands, marks included, such as "- [ ]" or "C++". Case and accents never matter. Chinese, Japanese and Thai are found by any two characters. Attachments are not searched.',
  effect: "read",
  input: z.strictObject({
    query: z.string().max(2_000).describe('what to look for, such as: tomato "late blight" -greenhouse'),
    match: z.enum(["words", "literal"]).default("words").describe("literal: the query as one text"),
    folder: folderArgument,
    filters: searchFilters,
    pattern: searchPattern,
    tags: searchTags,
    snippet_chars: z.int().min(50).max(2_000).default(300).describe("length of each snippet"),
    limit: limitArgument(10, 50),
    cursor: cursorArgument,
  }),
  output: z.object({
    hits: z.array(
      z.object({
        path: z.string(),
        title: z.string(),
        score: z.number(),
        modified_at: dateTime(),
        tags: z.array(z.string()).optional(),
        okf: okfSchema.optional(),
        sections: z
          .array(z.object({ heading: z.string().nullable(), line: z.int(), snippet: z.string() }))
          .optional(),
      }),
    ),
    total: z.int().describe("hits of all pages, 200 at most"),
    matched: z.enum(["all", "prefixes", "any", "literal"]).describe("how the words were matched"),
    index_stale: z.boolean(),
    ...smallPageFields,
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
    list: "hits",
    shape: ["snippet_chars"],
    key: z.tuple([z.int()]),
    walk: z.object({ epoch: z.string(), generation: z.int().min(0) }),
  },
  async run(args, deps, { after, walk, signal, progress: report }) {
    const { hits, page, progress, note } = await search(
      args,
      deps,
      { after: after?.[0], walk },
      signal,
      report,
    );
    return {
      entries: hits.map((shown) => ({ entry: toEntry(shown), key: [shown.hit.id] as [number] })),
      more: page.more,
      fields: { total: page.total, matched: page.stage, index_stale: progress.stale },
      walk: page.walk,
      note,
      meta: { index_stale: progress.stale },
    };
  },
});

function toEntry({ hit: { document, score, okf }, sections }: ShownHit) {
  return {
    path: document.path,
    title: titleOf(document),
    score: Math.round(score * 100) / 100,
    modified_at: timeText(document.modifiedAt),
    ...(document.kind === "note" && document.tags.length > 0 && { tags: [...document.tags] }),
    ...(okf !== undefined && { okf: toOkfEntry(okf) }),
    sections: sections.map(({ heading, line, snippet }) => ({ heading: heading ?? null, line, snippet })),
  };
}
