import { isUtf8 } from "node:buffer";
import type { DecodedText } from "./note.ts";

/** Text of a file, byte order mark included: UTF-8, otherwise Latin-1, which gives every byte a character. */
export function decodeText(bytes: Buffer): DecodedText {
  if (isUtf8(bytes)) return { text: bytes.toString("utf8"), badLine: undefined };
  const before = bytes.toString("utf8").split("\ufffd", 1)[0] ?? "";
  return { text: bytes.toString("latin1"), badLine: before.split("\n").length };
}
