import { cursorArgument, limitArgument, pageFields, quote } from "@mcp-file-servers/core";
import * as z from "zod";
import { parseApp } from "../domain/app-name.ts";
import { parsePrefix } from "../domain/change-target.ts";
import { AppFilesError } from "../domain/errors.ts";
import { type SearchPage, searchFiles } from "../domain/search-files.ts";
import { definePagedTool } from "./define.ts";
import { appArgument, count, ordinal, prefixArgument } from "./schemas.ts";

/** What one page may read: some seconds on a slow machine. */
const pageBytes = 64 * 1024 * 1024;
const pageMs = 5_000;

/** Literal text in text files. */
export const fileSearch = definePagedTool({
  name: "file_search",
  title: "Search inside app files",
  description:
    "Find literal text (no wildcards) in the text files of one app: path, line, byte offset and snippet of each hit. For names use file_list pattern. " +
    "A line counts once unless very long; files that are no UTF-8 text are skipped and counted. " +
    "A page also ends after 64 MiB or 5 s of reading, as note says: it may be empty and still have next_cursor: go on until that is null, or narrow by prefix or pattern. " +
    "Read around a hit with file_read start_line.",
  effect: "read",
  input: z.strictObject({
    app: appArgument,
    query: z.string().min(1).max(1_000).describe("text to find, as it stands"),
    ignore_case: z.boolean().default(false).describe("upper and lower case are the same"),
    prefix: prefixArgument,
    pattern: z.string().optional().describe("glob on the path, as in file_list"),
    limit: limitArgument(50, 500),
    cursor: cursorArgument,
  }),
  output: z.object({
    app: z.string(),
    hits: z.array(
      z.object({
        path: z.string(),
        version: ordinal,
        line: ordinal,
        offset: count.describe("byte at which the match begins"),
        snippet: z.string().optional().describe("the line around it; … where it was cut"),
      }),
    ),
    skipped_binary: count.describe("files that are no text"),
    ...pageFields,
  }),
  failures: [
    "INVALID_ARGUMENT",
    "INVALID_CURSOR",
    "INVALID_APP",
    "APP_NOT_ALLOWED",
    "PATTERN_TOO_COSTLY",
    "STORE_UNAVAILABLE",
  ],
  subject: ({ app }) => app,
  paging: { list: "hits", key: z.tuple([z.string(), z.int().min(0).nullable()]) },
  async run(args, { store, policy, now }, { after, signal }) {
    const app = parseApp(args.app, policy);
    const [path, offset = null] = after ?? [];
    const query = {
      app,
      text: { text: parseQuery(args.query), ignoreCase: args.ignore_case },
      filter: {
        prefix: args.prefix === undefined ? undefined : parsePrefix(args.prefix),
        pattern: args.pattern,
      },
      after: path === undefined ? undefined : { path, offset },
      limit: args.limit,
    };
    const page = await searchFiles(query, store, { bytes: pageBytes, ms: pageMs, now }, { signal });
    const { hits, end, skipped } = page;
    return {
      entries: hits.map(({ skipped: _, next, path: of, version, line, offset: at, snippet }) => ({
        entry: { path: of, version, line, offset: at, snippet },
        key: [of, next] as [string, number],
      })),
      more: end !== undefined,
      end: end && ([end.path, end.offset] as [string, number | null]),
      fields: ({ returned }) => ({
        app,
        skipped_binary: returned === hits.length ? skipped : (hits[returned - 1]?.skipped ?? skipped),
      }),
      note: noteOf(page, app, policy.allows),
    };
  },
});

function parseQuery(query: string): string {
  if (query.isWellFormed()) return query;
  const problem = "has half of a surrogate pair in it, which no text has";
  const next = "Call again with query as valid Unicode.";
  throw new AppFilesError("INVALID_ARGUMENT", { argument: "query", problem, next });
}

function noteOf(page: SearchPage, app: string, allows: (app: string) => boolean): string | undefined {
  const { damaged, isExhausted, nearestApps } = page;
  if (nearestApps !== undefined) {
    const nearest = nearestApps.filter(allows);
    return `No app ${app} has files yet${nearest.length > 0 ? `; similar apps: ${nearest.join(", ")}` : ""}.`;
  }
  const notes = [
    ...(isExhausted ? ["This page ended after much reading, not at the end; go on with next_cursor."] : []),
    ...(damaged.length > 0
      ? [`Damaged and not searched to their end: ${damaged.slice(0, 3).map(quote).join(", ")}.`]
      : []),
  ];
  return notes.length === 0 ? undefined : notes.join(" ");
}
