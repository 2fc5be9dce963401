import type { Writer } from "@mcp-file-servers/sqlite";
import type { ContentFacts } from "../../domain/content.ts";
import { AppFilesError } from "../../domain/errors.ts";
import type { WriteReceipt } from "../../domain/file-record.ts";
import { planWrite } from "../../domain/plan-write.ts";
import type { StagedRequest } from "../../domain/store.ts";
import type { StagedBlob } from "../blob-folder.ts";
import { applyWrite, storeContent } from "./apply-write.ts";
import { makeRoom } from "./history.ts";
import { readWriteState } from "./read-state.ts";
import { once } from "./receipts.ts";
import type { Rules } from "./transfer-file.ts";
import { dropUpload, findUpload } from "./uploads.ts";

/** Adds a version whose content comes as bytes or, a large one, as the file that it was staged in; once a command. */
export function writeContent(
  writer: Writer,
  { blobs, limits, retention, now }: Rules,
  request: StagedRequest,
  facts: ContentFacts,
  source: Uint8Array | StagedBlob,
): WriteReceipt {
  return once(writer, request, now(), () => {
    const { client, edit, upload } = request;
    if (upload !== undefined && findUpload(writer, upload, now()) === undefined) {
      throw new AppFilesError("UPLOAD_NOT_FOUND", { uploadId: upload });
    }
    const found = readWriteState(writer, request.app, request.path);
    const order = { ...request, size: facts.size, sha256: facts.sha256 };
    const plan = planWrite(order, found.state, { limits, retention }, now());
    const addedBytes = storeContent(writer, blobs, facts, source);
    applyWrite(writer, plan, found, { action: "write", client }, addedBytes);
    // Before room is made: its chunks are now the file's content.
    if (upload !== undefined) dropUpload(writer, upload);
    if (found.physicalBytes + addedBytes > limits.store_bytes) makeRoom(writer, limits.store_bytes);
    return { ...plan.receipt, ...(edit && { edit }) };
  });
}
