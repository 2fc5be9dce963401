import { parseTransfer } from "../domain/parse-transfer.ts";
import { defineTool } from "./define.ts";
import { describeTransfer } from "./receipt-schema.ts";
import { transferFailures, transferInput, transferOutput, transferSubject } from "./transfer-schema.ts";

/** Gives a file another path. */
export const fileMove = defineTool({
  name: "file_move",
  title: "Move an app file",
  description:
    "Rename a file, or move it to another folder or app. Instant whatever the size; both ends change or neither. " +
    "A file at new_path gives FILE_EXISTS, unless overwrite makes this its next version. Changing case alone works. " +
    "The history stays at path, where file_restore can bring the file back. For a folder, move each file in it. To keep the original use file_copy.",
  effect: "overwrite",
  input: transferInput,
  output: transferOutput,
  failures: transferFailures,
  subject: transferSubject,
  async run(args, { store, policy }, { client, signal }) {
    const request = parseTransfer(args, "move", policy, client);
    return describeTransfer(await store.move(request, { signal }));
  },
});
