import { cursorArgument, dateTime, limitArgument, pageFields } from "@mcp-file-servers/core";
import * as z from "zod";
import { parseApp } from "../domain/app-name.ts";
import { formatDateTime, parseDateTime } from "../domain/date-time.ts";
import { AppFilesError } from "../domain/errors.ts";
import { type ListEntry, type Listing, type ListView, leavesOutChanges } from "../domain/listing.ts";
import { parseMimeFilter } from "../domain/mime.ts";
import { parsePlainText } from "../domain/plain-text.ts";
import { definePagedTool } from "./define.ts";
import { appArgument, count, ordinal, prefixArgument, sha256 } from "./schemas.ts";
import { usageOf, usageSchema } from "./usage-schema.ts";

const input = z.strictObject({
  app: appArgument,
  prefix: prefixArgument,
  pattern: z
    .string()
    .optional()
    .describe("glob on the path: *, **, ?, [a-z], {a,b}; without a slash on the file name at any depth"),
  mime: z.string().optional().describe("media type: image/png or image/*"),
  updated_after: z
    .string()
    .refine((text) => parseDateTime(text) !== undefined, "must be a date-time such as 2031-02-03T04:05:06Z")
    .meta({ format: "date-time" })
    .optional()
    .describe("only files written after this time"),
  folders: z.boolean().default(false).describe("one level below prefix: folders with sums, then files"),
  sort: z.enum(["path", "size", "updated"]).default("path").describe("what the files are sorted by"),
  order: z.enum(["asc", "desc"]).default("asc").describe("direction of sort"),
  changed_since: z
    .int()
    .min(0)
    .max(1_000_000_000_000)
    .optional()
    .describe("changes after this files_version in order, deletions too; not with folders, sort, order"),
  details: z.boolean().default(false).describe("add sha256, created_at, updated_at"),
  limit: limitArgument(200, 1_000),
  cursor: cursorArgument,
});

const output = z.object({
  app: z.string(),
  files: z.array(
    z.object({
      path: z.string().describe("ends with a slash for a folder"),
      size: count.optional().describe("bytes"),
      mime: z.string().optional(),
      version: ordinal.optional().describe("how often the path was written"),
      sha256: sha256.optional(),
      created_at: dateTime().optional(),
      updated_at: dateTime().optional(),
      folder: z.boolean().optional().describe("true for a folder"),
      count: count.optional().describe("matching files anywhere below a folder"),
      bytes: count.optional().describe("their bytes"),
      deleted: z.boolean().optional().describe("true for a file that was deleted"),
    }),
  ),
  usage: usageSchema,
  files_version: z
    .int()
    .min(0)
    .describe("grows with every change in this app; with changed_since, where to go on next time"),
  total: count.describe("matches on all pages"),
  ...pageFields,
});

type Arguments = z.output<typeof input>;

/** A listing of one app. */
export const fileList = definePagedTool({
  name: "file_list",
  title: "List app files",
  description:
    "List the files that one app keeps: path, size, type and version of each, with the app's usage, limits and files_version. For contents see file_read and file_search. " +
    "Look around folder by folder with folders: true, then prefix. To follow changes pass an earlier files_version as changed_since; equal numbers mean no change. " +
    "A walk by path meets every file once, whatever changes meanwhile; by size or updated, files changed since its first page are left out and counted in note. " +
    "An unknown app is empty, similar names in note. CHANGES_EXPIRED: list anew.",
  effect: "read",
  input,
  output,
  subject: ({ app }) => app,
  failures: [
    "INVALID_ARGUMENT",
    "INVALID_CURSOR",
    "INVALID_APP",
    "APP_NOT_ALLOWED",
    "PATTERN_TOO_COSTLY",
    "CHANGES_EXPIRED",
    "STORE_UNAVAILABLE",
  ],
  paging: {
    list: "files",
    shape: ["details"],
    key: z.tuple([z.enum(["folder", "file"]), z.number(), z.string()]),
    // A walk by path needs to remember nothing.
    walk: z.object({ version: z.int() }).optional(),
  },
  async run(args, { store, policy, limits }, { after, walk, signal }) {
    const app = parseApp(args.app, policy);
    const view = viewOf(args);
    const [group, rank, path] = after ?? [];
    const position =
      group === undefined || rank === undefined || path === undefined ? undefined : { group, rank, path };
    const filter = {
      prefix: args.prefix === undefined ? undefined : parsePlainText(args.prefix, "prefix").normalize("NFC"),
      pattern: args.pattern,
      mime: args.mime === undefined ? undefined : parseMimeFilter(args.mime),
      updatedAfter: args.updated_after === undefined ? undefined : parseDateTime(args.updated_after),
    };
    const query = { app, filter, view, after: position, generation: walk?.version, limit: args.limit };
    const listing = await store.list(query, { signal });
    const version = walk?.version ?? listing.filesVersion;
    return {
      entries: listing.entries.map(({ entry, position: at }) => ({
        entry: describeEntry(entry, args.details),
        key: [at.group, at.rank, at.path] as [typeof at.group, number, string],
      })),
      more: listing.more,
      fields: {
        app,
        usage: usageOf(listing.usage, limits),
        files_version: view.kind === "changes" ? version : listing.filesVersion,
        total: listing.total,
      },
      ...(leavesOutChanges(view) && { walk: { version } }),
      note: noteOf(listing, args, version, policy.allows),
    };
  },
});

/** @throws AppFilesError INVALID_ARGUMENT for arguments that exclude each other. */
function viewOf({ changed_since: since, folders, sort, order }: Arguments): ListView {
  if (since === undefined) return { kind: "files", sort, order, folders };
  const other = folders ? "folders" : sort !== "path" ? "sort" : order !== "asc" ? "order" : undefined;
  if (other === undefined) return { kind: "changes", since };
  throw new AppFilesError("INVALID_ARGUMENT", {
    argument: other,
    problem: "cannot be used together with changed_since, whose order is that of the changes",
    next: `Call again without ${other}, or without changed_since.`,
  });
}

function describeEntry(entry: ListEntry, details: boolean) {
  switch (entry.kind) {
    case "folder":
      return { path: entry.path, folder: true, count: entry.count, bytes: entry.bytes };
    case "deletion": {
      const { path, version, deletedAt } = entry;
      return { path, version, deleted: true, updated_at: formatDateTime(deletedAt) };
    }
    case "file": {
      const { path, size, mime, version, sha256: hash, createdAt, updatedAt } = entry.file;
      const more = {
        sha256: hash,
        created_at: formatDateTime(createdAt),
        updated_at: formatDateTime(updatedAt),
      };
      return { path, size, mime, version, ...(details && more) };
    }
  }
}

function noteOf(
  listing: Listing,
  { app, prefix }: Arguments,
  version: number,
  allows: (app: string) => boolean,
): string | undefined {
  if (listing.nearestApps !== undefined) {
    const nearest = listing.nearestApps.filter(allows);
    return `No app ${app} has files yet${nearest.length > 0 ? `; similar apps: ${nearest.join(", ")}` : ""}.`;
  }
  if (listing.total === 0 && prefix?.startsWith("/"))
    return "Paths begin without a slash, and so must prefix.";
  if (listing.changedSince === 0) return undefined;
  return `Files of this app that changed after the first page of this walk and are left out: ${listing.changedSince}; changed_since ${version} shows them.`;
}
