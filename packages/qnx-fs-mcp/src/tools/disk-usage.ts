import { eot } from "@mcp-file-servers/core";
import * as z from "zod";
import { displayName } from "../domain/raw-name.ts";
import { searchBudget } from "../domain/searching/budget.ts";
import { type DiskUsage, diskUsage as measure } from "../domain/searching/disk-usage.ts";
import { defineTool } from "./define.ts";
import { remotePath, targetArgument } from "./entry-schema.ts";
import { pathCodes } from "./failures.ts";
import { walkNotes } from "./search-schema.ts";

const mostParts = 50;

const treeSchema = z.object({
  bytes: z.int().describe("sum of the files' sizes; blocks on the medium may be more or less"),
  files: z.int(),
  directories: z.int(),
  complete: z.boolean(),
  largest: z
    .array(z.object({ name: z.string(), bytes: z.int(), files: z.int() }))
    .describe("path's own entries with all below them, 50 at most"),
});

export const diskUsage = defineTool({
  name: "disk_usage",
  title: "Show disk usage on a QNX target",
  description: [
    "Show the room of the file system that holds a path, whether it takes writes and whether it is RAM; with tree: true also what fills a directory, its largest entries first.",
    "Call it before copying something large to a target; file_find with sort size names single files.",
    "Figures are null where the target's SFTP server cannot tell. tree looks at 50,000 entries or for 20 s; links are not followed, /proc and /dev not entered.",
  ].join(" "),
  effect: "read",
  subject: ({ target, path }) => `${target} ${path}`,
  input: z.strictObject({
    target: targetArgument,
    path: remotePath.describe("absolute path on the file system in question, such as /data"),
    tree: z.boolean().default(false).describe("also add up what lies below path, a directory"),
  }),
  output: z.object({
    target: z.string(),
    path: z.string(),
    real_path: z.string(),
    total_bytes: z.int().nullable(),
    used_bytes: z.int().nullable(),
    free_bytes: z.int().nullable().describe("what an ordinary user may still fill"),
    writable: z.boolean().nullable().describe("false where it is mounted for reading alone"),
    ram: z.boolean(),
    tree: treeSchema.nullable(),
    note: z.string().optional(),
    eot,
  }),
  failures: [...pathCodes, "NOT_A_DIRECTORY"],
  async run({ target, path, tree }, { targets, now }, { signal, progress }) {
    const place = await targets.open(target, signal);
    const usage = await measure(place, path, tree, { budget: searchBudget, now, progress }, signal);
    const { realPath, space, ram } = usage;
    const note = noteOn(usage);
    return {
      target,
      path,
      real_path: realPath,
      total_bytes: space?.total ?? null,
      used_bytes: space === undefined ? null : Math.max(0, space.total - space.free),
      free_bytes: space?.free ?? null,
      writable: space === undefined ? null : !space.readOnly,
      ram,
      tree: usage.tree === undefined ? null : showTree(usage.tree),
      ...(note !== undefined && { note }),
    };
  },
});

function showTree({ bytes, files, directories, parts, report }: NonNullable<DiskUsage["tree"]>) {
  const largest = parts
    .slice(0, mostParts)
    .map((part) => ({ name: displayName(part.name).text, bytes: part.bytes, files: part.files }));
  return { bytes, files, directories, complete: !report.stopped && report.unreadableCount === 0, largest };
}

function noteOn({ space, ram, tree }: DiskUsage): string | undefined {
  const notes = [
    ...(ram ? ["It is RAM: files there are gone after a restart."] : []),
    ...(space === undefined ? ["The target's SFTP server does not tell the room of a file system."] : []),
    ...(tree === undefined ? [] : walkNotes(tree.report, "call again for its subdirectories one by one")),
  ];
  return notes.length === 0 ? undefined : notes.join(" ");
}
