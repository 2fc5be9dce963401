import { dateTime, eot } from "@mcp-file-servers/core";
import * as z from "zod";
import { noteOf } from "../domain/writing/describe-change.ts";
import { restoreDocument as restore } from "../domain/writing/restore-document.ts";
import { defineTool } from "./define.ts";
import { documentFailures, noteField, pathArgument, replacedVersion } from "./writing-schemas.ts";

export const restoreDocument = defineTool({
  name: "restore_document",
  title: "Restore Document",
  description:
    "Puts an older content of a path back: the deleted one where nothing is there now, or the version that is named. Versions are the replaced_version or version that a writer answered with, and an unknown one is refused with the list of those that are kept (the last 10 of a path, for 30 days). What is at the path now is replaced without an etag but kept itself, so restoring can be undone. It does not undo rename_path, nor bring back a content that another program replaced.",
  effect: "overwrite",
  idempotent: true,
  input: z.strictObject({
    path: pathArgument,
    version: z.string().optional().describe("which content; the one deleted last when left out"),
  }),
  output: z.object({
    path: z.string(),
    version: z.string(),
    kept_at: dateTime("when that content had been replaced or deleted"),
    size_bytes: z.int(),
    replaced_version: replacedVersion,
    note: noteField,
    eot,
  }),
  failures: [
    ...documentFailures.filter((code) => code !== "NOT_FOUND"),
    "VERSION_NOT_FOUND",
    "ALREADY_EXISTS",
    "TOO_LARGE",
  ],
  async run({ path, version }, deps, { signal }) {
    const restored = await restore(deps, path, version, signal);
    const { replacedVersion: replaced } = restored;
    return {
      path: restored.path,
      version: restored.version,
      kept_at: new Date(restored.at).toISOString(),
      size_bytes: restored.sizeBytes,
      ...(replaced !== undefined && { replaced_version: replaced }),
      ...noteOf(restored.notes),
    };
  },
});
