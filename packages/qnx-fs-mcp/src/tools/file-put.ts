import { eot } from "@mcp-file-servers/core";
import * as z from "zod";
import { putPath } from "../domain/transfers/put-path.ts";
import { defineTool } from "./define.ts";
import { targetArgument } from "./entry-schema.ts";
import { changeCodes } from "./failures.ts";
import { modeArgument, parseMode } from "./mode-schema.ts";
import { mebibyte, showSkipped, skippedSchema, transferArguments } from "./transfer-schema.ts";

export const filePut = defineTool({
  name: "file_put",
  title: "Copy a file to a QNX target",
  description: [
    "Copy a file of this host, a text or bytes to a path on a target; with recursive a directory of this host, where equal files are left alone.",
    "remote_path is the new file's whole path; its directory must be there (dir_create makes it). local_path lies in the configuration's local_roots.",
    "It is written beside its place, read back, then renamed: a failure leaves the old file, and names what else is left. Without overwrite nothing is replaced, with it only a file.",
    "In /dev/shmem, where /tmp may lead, it is written in place into RAM (atomic: false), never over a file. After OUTCOME_UNKNOWN look before you repeat it.",
  ].join(" "),
  effect: "overwrite",
  input: z.strictObject({
    target: targetArgument,
    ...transferArguments,
    local_path: z.string().max(4096).optional().describe("file or directory here"),
    text: z.string().max(4_000_000).optional().describe("content in place of local_path"),
    data_base64: z.string().max(4_000_000).optional().describe("bytes in place of local_path"),
    mode: modeArgument("permissions, 0644 or those of the replaced file if left out").optional(),
    overwrite: z.boolean().default(false).describe("replace a file"),
    verify: z.boolean().default(true).describe("read it back"),
  }),
  output: z.object({
    target: z.string(),
    real_path: z.string(),
    size: z.int(),
    sha256: z.string().nullable(),
    mode: z.string().nullable(),
    files: z.int(),
    identical: z.int().describe("of these, left alone"),
    replaced: z.boolean(),
    atomic: z.boolean().describe("there was no moment with half a file"),
    skipped: skippedSchema,
    note: z.string().optional(),
    eot,
  }),
  failures: [
    ...changeCodes,
    "NOT_A_DIRECTORY",
    "NOT_A_FILE",
    "IS_LINK",
    "ALREADY_EXISTS",
    "NO_SPACE",
    "VERIFY_FAILED",
    "OUTCOME_UNKNOWN",
    "LOCAL_PATH_REFUSED",
  ],
  timeLimitMs: ({ timeout_s }) => timeout_s * 1000,
  async run(args, { targets, local, newId, sleep }, { signal, progress }) {
    const open = await targets.open(args.target, signal);
    const request = {
      remotePath: args.remote_path,
      mode: args.mode === undefined ? undefined : parseMode(args.mode),
      overwrite: args.overwrite,
      verify: args.verify,
      recursive: args.recursive,
      most: args.max_mb * mebibyte,
    };
    const content = { localPath: args.local_path, text: args.text, base64: args.data_base64 };
    const reopen = (bounded: AbortSignal) => targets.open(args.target, bounded);
    const put = await putPath(open, local, content, request, { newId, reopen, sleep, progress }, signal);
    const note = noteOn(put);
    return {
      target: args.target,
      real_path: put.realPath,
      size: put.size,
      sha256: put.sha256,
      mode: put.mode,
      files: put.files,
      identical: put.identical,
      replaced: put.replaced,
      atomic: put.atomic,
      skipped: showSkipped(put.skipped),
      ...(note !== "" && { note }),
    };
  },
});

function noteOn({
  inRam,
  leftBackup,
  skipped,
}: {
  inRam: boolean;
  leftBackup?: string | undefined;
  skipped: readonly object[];
}) {
  const notes = [
    inRam && "It lies in RAM and is gone after a restart.",
    leftBackup !== undefined && `The replaced file could not be removed and lies at ${leftBackup}.`,
    skipped.length > 50 && `${skipped.length} entries were left out.`,
  ];
  return notes.filter((note) => note !== false).join(" ");
}
