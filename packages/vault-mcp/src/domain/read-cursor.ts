import { createHash } from "node:crypto";
import { VaultError } from "./errors.ts";

/** Where a reading goes on. */
export interface ReadPosition {
  /** Index of the document in the request. */
  readonly index: number;
  /** UTF-16 units of its text that were given out already. */
  readonly offset: number;
  /** The tag of the content that they were of; empty at a document's beginning. */
  readonly etag: string;
}

const checkLength = 12;

/** The cursor of a position; it is bound to everything else in the request. */
export function writeCursor({ index, offset, etag }: ReadPosition, request: object): string {
  const payload = Buffer.from(JSON.stringify([index, offset, etag])).toString("base64url");
  return `r${checkOf(payload, request)}${payload}`;
}

function checkOf(payload: string, request: object): string {
  const { paths, several, target } = request as Record<string, unknown>;
  const bound = JSON.stringify([payload, paths, several, target]);
  return createHash("sha256").update(bound).digest("base64url").slice(0, checkLength);
}

/** @throws VaultError INVALID_CURSOR for any text that is none of this request's cursors. */
export function readCursor(cursor: string, request: object): ReadPosition {
  const check = cursor.slice(1, 1 + checkLength);
  const payload = cursor.slice(1 + checkLength);
  if (!cursor.startsWith("r") || payload === "" || check !== checkOf(payload, request)) {
    throw new VaultError("INVALID_CURSOR", { reason: "it is damaged, or belongs to another reading" });
  }
  const [index, offset, etag] = JSON.parse(Buffer.from(payload, "base64url").toString()) as [
    number,
    number,
    string,
  ];
  return { index, offset, etag };
}
