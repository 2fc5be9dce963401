import type { Writer } from "@mcp-file-servers/sqlite";
import { AppFilesError } from "../../domain/errors.ts";
import type { TransferReceipt, TransferRequest } from "../../domain/file-changes.ts";
import type { Action, FileRecord, WriteReceipt } from "../../domain/file-record.ts";
import type { Limits, Retention } from "../../domain/limits.ts";
import { checkMayReplace, checkTransfer } from "../../domain/plan-change.ts";
import { checkExpectedVersion, planWrite } from "../../domain/plan-write.ts";
import type { BlobFolder } from "../blob-folder.ts";
import { applyRemovals } from "./apply-removal.ts";
import { applyWrite } from "./apply-write.ts";
import { findContent } from "./open-content.ts";
import { type Found, readApp, readFile, readWriteState } from "./read-state.ts";

/** What the changes of a store go by. */
export interface Rules {
  readonly blobs: BlobFolder;
  readonly limits: Limits;
  readonly retention: Retention;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Copies a file, or moves it: then it leaves its place first, so that it stands in its own way nowhere. */
export function transferFile(
  writer: Writer,
  rules: Rules,
  request: TransferRequest,
  action: "copy" | "move",
): TransferReceipt {
  checkTransfer(request);
  const { app, path, newApp, newPath, client } = request;
  const { record } = findContent(writer, app, path, undefined);
  checkExpectedVersion(path, request.expectedVersion, record);
  const row = readApp(writer, app);
  const file = readFile(writer, row, path);
  if (row === undefined || file === undefined) throw new Error("a file that was found has no row");
  const { filesVersion } =
    action === "move"
      ? applyRemovals(writer, row, [file], { action, client }, rules.now())
      : { filesVersion: row.files_version };
  const found = readWriteState(writer, newApp, newPath);
  checkMayReplace(request, found.state.current);
  const receipt = writeContentOf(writer, rules, found, {
    app: newApp,
    path: newPath,
    record,
    action,
    client,
  });
  const from = { app, path, version: record.version };
  return {
    ...receipt,
    from: { ...from, filesVersion: app === newApp ? receipt.filesVersion : filesVersion },
  };
}

/** A version that takes over the content of another. */
export interface TakenOver {
  readonly app: string;
  readonly path: string;
  /** Whose content and type it takes over. */
  readonly record: FileRecord;
  readonly expectedVersion?: number | undefined;
  readonly action: Action;
  readonly client: string;
}

/** Adds a version whose content is in the store already. */
export function writeContentOf(
  writer: Writer,
  { blobs, limits, retention, now }: Rules,
  found: Found,
  { app, path, record, expectedVersion, action, client }: TakenOver,
): WriteReceipt {
  const { size, sha256, mime } = record;
  const order = { app, path, size, sha256, mime, detectedMime: mime, expectedVersion };
  const plan = planWrite(order, found.state, { limits, retention }, now());
  addReference(writer, blobs, record);
  applyWrite(writer, plan, found, { action, client }, 0);
  return plan.receipt;
}

/** One more that needs a content. @throws AppFilesError CORRUPT when that is lost. */
function addReference(writer: Writer, blobs: BlobFolder, { path, version, sha256, size }: FileRecord): void {
  const row = writer.get<{ in_file: number }>(
    "UPDATE blob SET refs = refs + 1 WHERE sha256 = ? RETURNING data IS NULL AS in_file",
    [sha256],
  );
  if (row === undefined || (row.in_file === 1 && !blobs.liesThere(sha256, size))) {
    throw new AppFilesError("CORRUPT", { path, version });
  }
}
