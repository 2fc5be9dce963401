import { takeWithin } from "@mcp-file-servers/core";
import * as z from "zod";
import { parseApp } from "../domain/app-name.ts";
import { changeBy, targetOf } from "../domain/change-target.ts";
import type { RemovalSummary } from "../domain/file-changes.ts";
import { defineTool } from "./define.ts";
import {
  appArgument,
  commandIdArgument,
  count,
  countArgument,
  expectedVersionArgument,
  listRoom,
  ordinal,
  pathArgument,
  prefixArgument,
} from "./schemas.ts";
import {
  firstOf,
  missingWithPrefix,
  targetAnswerEnd,
  targetFailures,
  targetSubject,
} from "./target-schema.ts";

/** Deletes a file, or all files of a prefix. */
export const fileDelete = defineTool({
  name: "file_delete",
  title: "Delete app files",
  description:
    "Delete one file (path), or all whose paths start with a text (prefix: docs/ is a folder, docs takes docs2.txt too). " +
    "For a prefix call with dry_run first, then with the expected_count it reports: if another number matches by then, nothing is deleted. All or none, 2,000 at most. " +
    "Space is free at once. file_restore brings files back while history keeps them (30 days unless set otherwise). To rename use file_move; to replace, file_write.",
  effect: "delete",
  input: z.strictObject({
    app: appArgument,
    path: pathArgument.optional(),
    prefix: prefixArgument,
    expected_count: countArgument.optional().describe("with prefix: as dry_run reported; required to delete"),
    expected_version: expectedVersionArgument.describe("with path: required current version"),
    dry_run: z.boolean().default(false).describe("report what would be deleted, delete nothing"),
    command_id: commandIdArgument,
  }),
  output: z.object({
    app: z.string(),
    deleted: count.describe("files; with dry_run those that would be deleted"),
    bytes: count.describe("their bytes"),
    dry_run: z.boolean(),
    files: z
      .array(z.object({ path: z.string(), version: ordinal.describe("its last"), size: count }))
      .describe("the first of them"),
    ...targetAnswerEnd,
  }),
  failures: [...targetFailures, "COUNT_CONFLICT"],
  subject: targetSubject,
  async run(args, { store, policy }, { budget, client, signal }) {
    const app = parseApp(args.app, policy);
    const { expected_count: expectedCount, expected_version: expectedVersion, dry_run: dryRun } = args;
    const target = targetOf(args, {
      path: { expected_version: expectedVersion },
      prefix: { expected_count: expectedCount },
    });
    const asked = ["delete", app, target, expectedCount, expectedVersion];
    const request = { app, dryRun, ...changeBy(client, args.command_id, asked) };
    if ("path" in target) {
      const { filesVersion, ...file } = await store.remove(
        { ...request, ...target, expectedVersion },
        { signal },
      );
      return describe({ app, count: 1, bytes: file.size, files: [file], filesVersion }, dryRun, budget);
    }
    if (!dryRun && expectedCount === undefined) {
      const next = "Call again with dry_run true, then with expected_count as it reports.";
      throw missingWithPrefix("expected_count", next);
    }
    return describe(
      await store.removeAll({ ...request, ...target, expectedCount }, { signal }),
      dryRun,
      budget,
    );
  },
});

function describe(
  { app, count, bytes, files, filesVersion }: RemovalSummary,
  dryRun: boolean,
  budget: number,
) {
  const shown = takeWithin(
    files.map(({ path, version, size }) => ({ path, version, size })),
    listRoom(budget),
  );
  return {
    app,
    deleted: count,
    bytes,
    dry_run: dryRun,
    files: shown,
    files_version: dryRun ? filesVersion - count : filesVersion,
    ...firstOf(shown.length, count),
  };
}
