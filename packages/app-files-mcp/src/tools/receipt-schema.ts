import { dateTime, eot } from "@mcp-file-servers/core";
import * as z from "zod";
import { formatDateTime } from "../domain/date-time.ts";
import type { WriteReceipt } from "../domain/file-record.ts";
import { byteCount, sha256, versionNumber } from "./schemas.ts";

/** What every tool that stores a file answers. */
export const receiptFields = {
  app: z.string(),
  path: z.string().describe("as stored, in Unicode NFC"),
  size: byteCount.describe("bytes"),
  mime: z.string(),
  sha256: sha256.describe("of the whole file, lower-case hex"),
  version: versionNumber.describe("of this write; pass it as expected_version to the next"),
  created_at: dateTime(),
  updated_at: dateTime(),
  files_version: z.int().min(1).describe("of the app after this write"),
};

export const receiptSchema = z.object({ ...receiptFields, eot });

export function describeReceipt({ createdAt, updatedAt, filesVersion, ...rest }: WriteReceipt) {
  return {
    ...rest,
    created_at: formatDateTime(createdAt),
    updated_at: formatDateTime(updatedAt),
    files_version: filesVersion,
  };
}
