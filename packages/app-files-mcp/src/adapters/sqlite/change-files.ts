import type { Writer } from "@mcp-file-servers/sqlite";
import type { FileChanges, RehearsedRequest } from "../../domain/file-changes.ts";
import type { CallOptions } from "../../domain/store.ts";
import { once, Rehearsed } from "./receipts.ts";
import { removeFile, removePrefix } from "./remove-files.ts";
import { restoreFile, restorePrefix } from "./restore-files.ts";
import { type Rules, transferFile } from "./transfer-file.ts";

/** One write transaction of the store. */
export type Write = <Result>(work: (writer: Writer) => Result, options?: CallOptions) => Promise<Result>;

/** Changes that bring no bytes: they move rows about, and the counts of who needs which content. */
export function createFileChanges(write: Write, rules: Rules): FileChanges {
  async function carryOut<Receipt extends object>(
    request: RehearsedRequest,
    work: (writer: Writer) => Receipt,
    options: CallOptions = {},
  ): Promise<Receipt> {
    try {
      return await write((writer) => once(writer, request, rules.now(), () => work(writer)), options);
    } catch (error) {
      // It was rolled back; what it carries is what `work` came to.
      if (error instanceof Rehearsed) return error.receipt as Receipt;
      throw error;
    }
  }

  return {
    copy: (request, options) =>
      carryOut(request, (writer) => transferFile(writer, rules, request, "copy"), options),
    move: (request, options) =>
      carryOut(request, (writer) => transferFile(writer, rules, request, "move"), options),
    remove: (request, options) =>
      carryOut(request, (writer) => removeFile(writer, request, rules.now()), options),
    removeAll: (request, options) =>
      carryOut(request, (writer) => removePrefix(writer, request, rules.now()), options),
    restore: (request, options) =>
      carryOut(request, (writer) => restoreFile(writer, rules, request), options),
    restoreAll: (request, options) =>
      carryOut(request, (writer) => restorePrefix(writer, rules, request), options),
  };
}
