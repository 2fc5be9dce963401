import { cutText, eot } from "@mcp-file-servers/core";
import * as z from "zod";
import { changeText } from "../domain/writing/change-text.ts";
import { describeChange, diffRoom } from "../domain/writing/describe-change.ts";
import { applyEdits } from "../domain/writing/edit-text.ts";
import { defineTool } from "./define.ts";
import {
  changeFields,
  documentFailures,
  dryRunArgument,
  ifMatchArgument,
  pathArgument,
} from "./writing-schemas.ts";

export const editDocument = defineTool({
  name: "edit_document",
  title: "Edit Document",
  description:
    "Replaces pieces of text in a note or text file and leaves every other byte alone. Prefer it to write_document for anything but a rewrite; use set_frontmatter for properties and append_to_document to add at an end. Each old_text must occur exactly once in the document as it is now, so take in enough around it, or set replace_all. All edits apply or none, each to the original. Matching is exact in case and spaces, only LF also matches CRLF; new text is literal and takes over the line endings of its place. A miss names the nearest line and the first character that differs. An edit that would make readable frontmatter unreadable is refused. Answers with the diff; dry_run shows it without writing.",
  effect: "overwrite",
  idempotent: false,
  input: z.strictObject({
    path: pathArgument,
    edits: z
      .array(
        z.strictObject({
          old_text: z.string().describe("text as it stands in the file"),
          new_text: z.string().describe("text in its place; empty removes it"),
          replace_all: z.boolean().default(false).describe("every occurrence"),
        }),
      )
      .min(1)
      .max(100)
      .describe("replacements that do not overlap"),
    if_match: ifMatchArgument,
    dry_run: dryRunArgument,
  }),
  output: z.object({ replacements: z.int(), ...changeFields, eot }),
  failures: [
    ...documentFailures,
    "TOO_LARGE",
    "NOT_TEXT",
    "ETAG_MISMATCH",
    "EDIT_NOT_FOUND",
    "EDIT_AMBIGUOUS",
    "EDITS_OVERLAP",
    "FRONTMATTER_BROKEN",
  ],
  async run({ path, edits, if_match, dry_run }, deps, { budget, signal }) {
    let replacements = 0;
    const wanted = edits.map((edit) => ({
      oldText: edit.old_text,
      newText: edit.new_text,
      replaceAll: edit.replace_all,
    }));
    const request = { path, ifMatch: if_match, dryRun: dry_run };
    const change = await changeText(deps, request, signal, (text) => {
      const applied = applyEdits(path, text, wanted);
      replacements = applied.count;
      return applied.text;
    });
    const { diffTexts } = await deps.loadEditingTools();
    return { replacements, ...describeChange(change, diffTexts, (diff) => cutText(diff, diffRoom(budget))) };
  },
});
