import { takeWithin } from "@mcp-file-servers/core";
import * as z from "zod";
import { parseApp } from "../domain/app-name.ts";
import { changeBy, targetOf } from "../domain/change-target.ts";
import type { RestoreSummary } from "../domain/file-changes.ts";
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
  versionNumber,
} from "./schemas.ts";
import {
  firstOf,
  missingWithPrefix,
  targetAnswerEnd,
  targetFailures,
  targetSubject,
} from "./target-schema.ts";

/** Makes older contents the current ones. */
export const fileRestore = defineTool({
  name: "file_restore",
  title: "Restore app files",
  description:
    "Undo changes: give one file an older content, or a whole prefix its earlier state. To only look use file_read version. " +
    "With path, version is one that file_history lists; without it, a deleted or moved file comes back as it last was. " +
    "With prefix and as_of (a files_version of an earlier answer), files changed or deleted since get their content of then, files that came since are deleted; dry_run shows which. " +
    "Restored files get new versions: nothing is lost, another restore undoes it. Where history no longer reaches, a path is taken or a quota full, nothing changes.",
  effect: "overwrite",
  input: z.strictObject({
    app: appArgument,
    path: pathArgument.optional(),
    version: versionNumber.optional().describe("with path: the version to take; needed unless deleted"),
    expected_version: expectedVersionArgument.describe("with path: required current version; 0: deleted"),
    prefix: prefixArgument,
    as_of: countArgument.optional().describe("with prefix, required: the files_version to go back to"),
    dry_run: z.boolean().default(false).describe("report what would change, change nothing"),
    command_id: commandIdArgument,
  }),
  output: z.object({
    app: z.string(),
    restored: count.describe("files with older content now"),
    deleted: count.describe("files that were not there at as_of"),
    dry_run: z.boolean(),
    files: z
      .array(
        z.object({
          path: z.string(),
          action: z.enum(["restored", "deleted"]),
          version: ordinal.describe("the new one; of a deleted file its last"),
          from_version: ordinal.optional().describe("whose content it has"),
        }),
      )
      .describe("the first of them"),
    ...targetAnswerEnd,
  }),
  failures: [
    ...targetFailures,
    "NOT_DELETED",
    "VERSION_GONE",
    "HISTORY_EXPIRED",
    "PATH_COLLISION",
    "LIMIT_EXCEEDED",
    "CORRUPT",
  ],
  subject: targetSubject,
  async run(args, { store, policy }, { budget, client, signal }) {
    const app = parseApp(args.app, policy);
    const { version, expected_version: expectedVersion, as_of: asOf, dry_run: dryRun } = args;
    const belongs = { path: { version, expected_version: expectedVersion }, prefix: { as_of: asOf } };
    const target = targetOf(args, belongs);
    const asked = ["restore", app, target, version, expectedVersion, asOf];
    const request = { app, dryRun, ...changeBy(client, args.command_id, asked) };
    if ("path" in target) {
      const order = { ...request, ...target, version, expectedVersion };
      const { path, filesVersion, from, ...receipt } = await store.restore(order, { signal });
      const file = { path, action: "restored", version: receipt.version, fromVersion: from.version } as const;
      return describe({ app, restored: 1, deleted: 0, files: [file], filesVersion }, dryRun, budget);
    }
    if (asOf === undefined) {
      const next = "Call again with as_of as a files_version that an earlier answer for this app gave.";
      throw missingWithPrefix("as_of", next);
    }
    return describe(await store.restoreAll({ ...request, ...target, asOf }, { signal }), dryRun, budget);
  },
});

function describe(summary: RestoreSummary, dryRun: boolean, budget: number) {
  const { app, restored, deleted, filesVersion } = summary;
  const changed = restored + deleted;
  const shown = takeWithin(
    summary.files.map(({ path, action, version, fromVersion }) => ({
      path,
      action,
      version,
      ...(fromVersion !== undefined && { from_version: fromVersion }),
    })),
    listRoom(budget),
  );
  return {
    app,
    restored,
    deleted,
    dry_run: dryRun,
    files: shown,
    files_version: dryRun ? filesVersion - changed : filesVersion,
    ...(changed === 0
      ? { note: "All of it is as it was then; nothing was changed." }
      : firstOf(shown.length, changed)),
  };
}
