import { eot } from "@mcp-file-servers/core";
import * as z from "zod";
import { type GotPath, getPath } from "../domain/transfers/get-path.ts";
import { defineTool } from "./define.ts";
import { targetArgument } from "./entry-schema.ts";
import { pathCodes } from "./failures.ts";
import { mebibyte, showSkipped, skippedSchema, transferArguments } from "./transfer-schema.ts";

export const fileGet = defineTool({
  name: "file_get",
  title: "Copy a file from a QNX target",
  description: [
    "Copy a file from a target to this host; with recursive a directory. file_read shows a part without copying.",
    "local_path lies in the configuration's local_roots; without it the copy goes to this server's own directory.",
    "It is written beside its place, hashed on both ways, and gets its name at the end: a failure leaves nothing, but with resume: true, which keeps FILE.part and goes on from it when called again the same way.",
    "A file that changes meanwhile is refused; allow_growing takes its first part, as of a log. verify reads all of it a second time, also what resume kept. Links in a tree are left out.",
  ].join(" "),
  effect: "overwrite",
  input: z.strictObject({
    target: targetArgument,
    ...transferArguments,
    local_path: z.string().max(4096).optional().describe("file or directory to make on this host"),
    overwrite: z.boolean().default(false).describe("replace a file, or files in a directory"),
    resume: z
      .boolean()
      .default(false)
      .describe("keep and continue a partial file; of what was kept only the last 64 KiB are compared"),
    verify: z.boolean().default(false).describe("read the source twice"),
    allow_growing: z.boolean().default(false).describe("take a file that grows meanwhile"),
  }),
  output: z.object({
    target: z.string(),
    real_path: z.string(),
    local_path: z.string(),
    size: z.int(),
    sha256: z.string().nullable(),
    files: z.int(),
    replaced: z.boolean(),
    resumed_at: z.int().describe("bytes kept from a call before"),
    skipped: skippedSchema,
    note: z.string().optional(),
    eot,
  }),
  failures: [
    ...pathCodes,
    "NOT_A_FILE",
    "ALREADY_EXISTS",
    "NO_SPACE",
    "CHANGED_WHILE_READING",
    "VERIFY_FAILED",
    "LOCAL_PATH_REFUSED",
    "INVALID_ARGUMENT",
  ],
  timeLimitMs: ({ timeout_s }) => timeout_s * 1000,
  async run(args, { targets, local, newId, readOnly }, { signal, progress }) {
    const place = await targets.open(args.target, signal);
    const request = {
      remotePath: args.remote_path,
      localPath: args.local_path,
      recursive: args.recursive,
      overwrite: args.overwrite,
      most: args.max_mb * mebibyte,
      resume: args.resume,
      verify: args.verify,
      allowGrowing: args.allow_growing,
    };
    const got = await getPath(place, local, request, { newId, progress, mayReplace: !readOnly }, signal);
    return {
      target: args.target,
      real_path: got.realPath,
      local_path: got.localPath,
      size: got.size,
      sha256: got.sha256,
      files: got.files,
      replaced: got.replaced,
      resumed_at: got.resumedAt,
      skipped: showSkipped(got.skipped),
      ...noteOn(got),
    };
  },
});

function noteOn({ grownTo, skipped }: GotPath): { note?: string } {
  const notes = [
    grownTo !== undefined && `The file has grown to ${grownTo} bytes meanwhile; its first part was copied.`,
    (skipped.length > 50 || skipped.some(({ reason }) => reason !== "link")) &&
      `Left out: ${skipped.length}; skipped says why.`,
  ].filter((note) => note !== false);
  return notes.length === 0 ? {} : { note: notes.join(" ") };
}
