import { parseTransfer } from "../domain/parse-transfer.ts";
import { defineTool } from "./define.ts";
import { describeTransfer } from "./receipt-schema.ts";
import { transferFailures, transferInput, transferOutput, transferSubject } from "./transfer-schema.ts";

/** Stores a content under a second path. */
export const fileCopy = defineTool({
  name: "file_copy",
  title: "Copy an app file",
  description:
    "Store the content of a file under another path too, in the same app or in new_app. Instant whatever the size: do not read and write to copy. " +
    "The media type goes along, the history does not; the copy counts in full against its app's quota. " +
    "A file at new_path gives FILE_EXISTS, unless overwrite makes the copy its next version. To rename use file_move.",
  effect: "overwrite",
  input: transferInput,
  output: transferOutput,
  failures: transferFailures,
  subject: transferSubject,
  async run(args, { store, policy }, { client, signal }) {
    const request = parseTransfer(args, "copy", policy, client);
    return describeTransfer(await store.copy(request, { signal }));
  },
});
