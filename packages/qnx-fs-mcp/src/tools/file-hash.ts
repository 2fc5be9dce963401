import { eot } from "@mcp-file-servers/core";
import * as z from "zod";
import { compareWithLocal, type LocalComparison } from "../domain/comparing/compare-with-local.ts";
import { type HashOutcome, hashPaths } from "../domain/comparing/hash-path.ts";
import { QnxFsError } from "../domain/errors.ts";
import { defineTool } from "./define.ts";
import { remotePath, showTime, targetArgument } from "./entry-schema.ts";
import { connectionCodes, describeFailure } from "./failures.ts";
import { walkNotes } from "./search-schema.ts";

const mostDifferences = 200;

const fileSchema = z.object({
  path: z.string(),
  size: z.int().nullable(),
  mtime: z.string().nullable(),
  sha256: z.string().nullable(),
  error: z.object({ code: z.string(), message: z.string(), next: z.string() }).nullable(),
});

const comparisonSchema = z.object({
  verdict: z.enum(["identical", "differs", "incomplete"]).describe("incomplete: not all could be compared"),
  local_path: z.string(),
  local_size: z.int().nullable(),
  local_mtime: z.string(),
  local_sha256: z.string().nullable(),
  equal_files: z.int(),
  differences: z
    .array(z.object({ path: z.string(), state: z.enum(["missing", "different", "extra"]) }))
    .describe(
      "of directories, as the target is: without it, with other contents, alone with it; 200 at most",
    ),
  total_differences: z.int(),
  not_compared: z.int().describe("links, devices, unreadable files"),
});

export const fileHash = defineTool({
  name: "file_hash",
  title: "Hash and compare files on a QNX target",
  description: [
    "Give the SHA-256 of files on a target, or compare one path with this host: is my build the one that runs there?",
    "With local_path, pass one path: two files are compared by contents, two directories by kind, size and contents of all below. local_path must lie in local_roots of the configuration.",
    "The files' bytes cross the line: ask for a longer timeout_s for large ones. A path that fails, or is not done in time, has its own error; a file that changes meanwhile is CHANGED_WHILE_READING.",
  ].join(" "),
  effect: "read",
  subject: ({ target, paths }) => `${target} ${paths.join(" ")}`,
  input: z.strictObject({
    target: targetArgument,
    paths: z
      .array(remotePath.describe("absolute path on the target"))
      .min(1)
      .max(20)
      .describe("files; with local_path one file or directory"),
    local_path: z.string().min(1).max(4096).optional().describe("absolute path on this host, or ~/…"),
    timeout_s: z.int().min(5).max(600).default(40).describe("seconds; over 45 only where your client waits"),
  }),
  output: z.object({
    target: z.string(),
    files: z.array(fileSchema),
    comparison: comparisonSchema.nullable().describe("null without local_path, and where path failed"),
    note: z.string().optional(),
    eot,
  }),
  failures: [...connectionCodes, "LOCAL_PATH_REFUSED"],
  timeLimitMs: ({ timeout_s }) => (timeout_s + 5) * 1000,
  async run({ target, paths, local_path, timeout_s }, { targets, local }, { signal, progress }) {
    const [path = "", ...others] = paths;
    if (local_path !== undefined && others.length > 0) {
      throw new QnxFsError("INVALID_ARGUMENT", {
        argument: "paths",
        problem: "local_path is compared with exactly one path",
        next: "Pass one path beside local_path.",
      });
    }
    const deadline = AbortSignal.timeout(timeout_s * 1000);
    let bytes = 0;
    const read = (more: number): void => {
      bytes += more;
      progress(bytes);
    };
    const place = await targets.open(target, signal);
    if (local_path === undefined) {
      const outcomes = await hashPaths(place, paths, read, deadline, signal);
      return { target, files: outcomes.map((outcome) => showOutcome(outcome, timeout_s)), comparison: null };
    }
    const { outcome, comparison } = await compareWithLocal(
      place,
      path,
      local,
      local_path,
      read,
      deadline,
      signal,
    );
    const notes = comparison?.tree === undefined ? [] : walkNotes(comparison.tree.report, "compare parts");
    return {
      target,
      files: [showOutcome(outcome, timeout_s)],
      comparison: comparison === undefined ? null : showComparison(comparison, outcome),
      ...(notes.length > 0 && { note: notes.join(" ") }),
    };
  },
});

function showOutcome(
  { path, hashed, failure, late }: HashOutcome,
  seconds: number,
): z.input<typeof fileSchema> {
  const error = late
    ? {
        code: "TIMED_OUT",
        message: `path: there was not time enough for it in ${seconds} s`,
        next: "Try again with fewer paths or a longer timeout_s.",
      }
    : failure === undefined
      ? null
      : describeFailure(failure);
  return {
    path,
    size: hashed?.size ?? null,
    mtime: hashed === undefined ? null : showTime(hashed.mtime),
    sha256: hashed?.sha256 ?? null,
    error,
  };
}

function showComparison(
  { localPath, local, localSha256, tree }: LocalComparison,
  { hashed }: HashOutcome,
): z.input<typeof comparisonSchema> {
  const incomplete = tree !== undefined && (tree.report.stopped || tree.report.unreadableCount > 0);
  const differs = tree === undefined ? hashed?.sha256 !== localSha256 : tree.differences.length > 0;
  const unsure = incomplete || (tree !== undefined && tree.notCompared.length > 0);
  return {
    verdict: differs ? "differs" : unsure ? "incomplete" : "identical",
    local_path: localPath,
    local_size: tree === undefined ? local.size : null,
    local_mtime: new Date(local.mtimeMs).toISOString(),
    local_sha256: localSha256 ?? null,
    equal_files: tree?.equal ?? (differs ? 0 : 1),
    differences: [...(tree?.differences.slice(0, mostDifferences) ?? [])],
    total_differences: tree?.differences.length ?? (differs ? 1 : 0),
    not_compared: tree?.notCompared.length ?? 0,
  };
}
