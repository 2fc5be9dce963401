import { cutText, eot } from "@mcp-file-servers/core";
import * as z from "zod";
import { describeChange, diffRoom } from "../domain/writing/describe-change.ts";
import { setFrontmatter as setKeys } from "../domain/writing/set-frontmatter.ts";
import { defineTool } from "./define.ts";
import {
  changeFields,
  documentFailures,
  dryRunArgument,
  frontmatterArgument,
  ifMatchArgument,
  pathArgument,
} from "./writing-schemas.ts";

export const setFrontmatter = defineTool({
  name: "set_frontmatter",
  title: "Set Frontmatter",
  description:
    "Sets and removes properties of a note in place. Only the lines of the named keys change: comments, quotes, order, dates of other keys and the body stay byte for byte, which edit_document cannot promise for YAML. Keys are those at the top level, a dot is part of the name; a nested object or a list is replaced as a whole, so pass all of it. Text is quoted where YAML needs it. New keys come last, a note without frontmatter gets a block, and the block goes with its last key. Removing a key that is not there changes nothing. Refused where the frontmatter is broken, where another key would change, as with anchors, and for attachments.",
  effect: "overwrite",
  idempotent: true,
  input: z.strictObject({
    path: pathArgument,
    set: frontmatterArgument.optional().describe("keys and their new values; null leaves the key empty"),
    remove: z.array(z.string()).max(200).optional().describe("keys to take out"),
    if_match: ifMatchArgument,
    dry_run: dryRunArgument,
  }),
  output: z.object({ ...changeFields, eot }),
  failures: [
    ...documentFailures,
    "TOO_LARGE",
    "NOT_TEXT",
    "ETAG_MISMATCH",
    "FRONTMATTER_BROKEN",
    "FRONTMATTER_NOT_EDITABLE",
  ],
  async run({ path, set, remove, if_match, dry_run }, deps, { budget, signal }) {
    const request = { path, set, remove, ifMatch: if_match, dryRun: dry_run };
    const change = await setKeys(deps, request, signal);
    const { diffTexts } = await deps.loadEditingTools();
    return describeChange(change, diffTexts, (diff) => cutText(diff, diffRoom(budget)));
  },
});
