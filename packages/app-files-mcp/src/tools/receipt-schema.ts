import { dateTime, eot } from "@mcp-file-servers/core";
import * as z from "zod";
import { formatDateTime } from "../domain/date-time.ts";
import type { TransferReceipt } from "../domain/file-changes.ts";
import type { WriteReceipt } from "../domain/file-record.ts";
import { fileUrl } from "../domain/file-url.ts";
import type { Web } from "./define.ts";
import { count, ordinal, sha256, urlField } from "./schemas.ts";

/** What every tool that stores a file answers. */
export const receiptFields = {
  app: z.string(),
  path: z.string().describe("as stored, in Unicode NFC"),
  size: count.describe("bytes"),
  mime: z.string(),
  sha256: sha256.describe("of the whole file, lower-case hex"),
  version: ordinal.describe("pass it as expected_version to the next change"),
  created_at: dateTime(),
  updated_at: dateTime(),
  files_version: ordinal.describe("of the app after this write"),
};

export const receiptSchema = z.object({ ...receiptFields, eot });

/** The same over HTTP. */
export const receiptWithUrlSchema = z.object({ ...receiptFields, url: urlField, eot });

export function describeReceipt({ createdAt, updatedAt, filesVersion, ...rest }: WriteReceipt) {
  return {
    ...rest,
    created_at: formatDateTime(createdAt),
    updated_at: formatDateTime(updatedAt),
    files_version: filesVersion,
  };
}

/** With the URL of the file, over HTTP. */
export function describeWritten(receipt: WriteReceipt, web: Web | undefined) {
  const url = web && { url: fileUrl(web.origin, receipt.app, receipt.path) };
  return { ...describeReceipt(receipt), ...url };
}

export function describeTransfer({ from, ...receipt }: TransferReceipt) {
  const { filesVersion, ...rest } = from;
  return { ...describeReceipt(receipt), from: { ...rest, files_version: filesVersion } };
}
