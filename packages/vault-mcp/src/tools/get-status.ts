import { eot, takeWithin } from "@mcp-file-servers/core";
import * as z from "zod";
import { largestText } from "../domain/reading/open-document.ts";
import { largestImage } from "../domain/reading/presentation.ts";
import { mostHits } from "../domain/search/vault-search.ts";
import { describeVault } from "../domain/survey/describe-vault.ts";
import type { BundleCounts } from "../domain/survey/vault-survey.ts";
import { defineTool } from "./define.ts";

/** By value; the most frequent ones. */
const countsSchema = z.record(z.string(), z.int());
const mostValues = 20;

/** Bytes for everything but the notes that cannot be parsed. */
const otherBytes = 12_000;

export const getStatus = defineTool({
  name: "get_status",
  title: "Get Status",
  description:
    "Tells how the server stands: how much the vault holds, whether the index is complete and how changes on the disk are noticed, which notes cannot be parsed and why, what an OKF bundle holds, and the limits. Use it when answers look incomplete or stale, or to find notes to repair. For what the vault is about use list_folders and list_tags.",
  effect: "read",
  input: z.strictObject({}),
  output: z.object({
    version: z.string(),
    read_only: z.boolean(),
    vault: z.object({
      notes: z.int(),
      attachments: z.int(),
      folders: z.int(),
      links: z.int(),
      bytes: z.int(),
      okf_bundle: z.boolean(),
    }),
    okf: z
      .object({
        types: countsSchema,
        untyped: z.int(),
        status: countsSchema,
        trust_tier: countsSchema,
        stale: z.int(),
        reserved: z.int().describe("index.md and log.md, not counted above"),
      })
      .optional()
      .describe("only of an OKF bundle: how many notes have each value"),
    index: z.object({
      state: z.string().describe("building, ready or failed"),
      indexed: z.int(),
      found: z.int(),
      stale: z.boolean(),
      pending_changes: z.int(),
      watcher: z.string(),
    }),
    broken_notes: z.array(z.object({ path: z.string(), line: z.int(), message: z.string() })),
    broken_total: z.int(),
    limits: z.object({
      result_bytes: z.int(),
      text_bytes: z.int(),
      image_bytes: z.int(),
      search_hits: z.int(),
    }),
    eot,
  }),
  failures: ["VAULT_UNREADABLE"],
  async run(_, deps, { budget, signal, progress: report }) {
    const { counts, progress, broken, brokenTotal } = await describeVault(deps, signal, report);
    const { pending, watcher } = deps.index.health();
    return {
      version: deps.about.version,
      read_only: deps.about.readOnly,
      vault: {
        notes: counts.notes,
        attachments: counts.attachments,
        folders: counts.folders,
        links: counts.links,
        bytes: counts.bytes,
        okf_bundle: counts.bundle !== undefined,
      },
      ...(counts.bundle !== undefined && { okf: toOkfCounts(counts.bundle) }),
      index: {
        state: progress.state,
        indexed: progress.indexed,
        found: progress.found,
        stale: progress.stale,
        pending_changes: pending,
        watcher,
      },
      broken_notes: takeWithin(
        broken.map((note) => ({ ...note })),
        budget - otherBytes,
      ),
      broken_total: brokenTotal,
      limits: {
        result_bytes: budget,
        text_bytes: largestText,
        image_bytes: largestImage,
        search_hits: mostHits,
      },
    };
  },
});

function toOkfCounts({ types, untyped, status, trustTier, stale, reserved }: BundleCounts) {
  const most = (counts: BundleCounts["types"]) =>
    Object.fromEntries(
      counts.slice(0, mostValues).map(([value, notes]) => [value.slice(0, 100).toWellFormed(), notes]),
    );
  return {
    types: most(types),
    untyped,
    status: most(status),
    trust_tier: most(trustTier),
    stale,
    reserved,
  };
}
