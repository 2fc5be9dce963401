import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeText } from "../domain/decode.ts";
import type { Document } from "../domain/document.ts";
import { etagOf } from "../domain/etag.ts";
import type { ParseYaml } from "../domain/frontmatter.ts";
import { readIndexedNote } from "../domain/indexed-note.ts";
import { parseMoment } from "../domain/moment.ts";
import { reasonOf } from "./file-errors.ts";
import { mimeTypeOf } from "./mime-type.ts";
import type { FileStamp } from "./scan-folders.ts";

/** Notes beyond this size are listed, not read. */
export const largestNote = 50_000_000;

/** What the index keeps of a file besides its stamp; `changedIn` is the index's own. */
export type ReadDocument =
  | Omit<Extract<Document, { kind: "note" }>, "changedIn">
  | Omit<Extract<Document, { kind: "attachment" }>, "changedIn">;

/**
 * Reads a file for the index. One that cannot be read, or has changed its place since it was found, comes with a
 * parse error and the next look at the disk puts it right.
 *
 * @param firstSeen the earliest time known for the path, milliseconds since 1970.
 */
export function readDocument(
  root: string,
  stamp: FileStamp,
  parseYaml: ParseYaml,
  firstSeen: number,
): ReadDocument {
  const { path, kind, sizeBytes, modifiedAt } = stamp;
  const file = { path, sizeBytes, modifiedAt, createdAt: firstSeen };
  if (kind === "attachment") return { ...file, kind, mimeType: mimeTypeOf(path) };
  const bytes = readBytes(root, stamp);
  if (typeof bytes === "string") {
    const facts = readIndexedNote(path, { text: "", badLine: undefined }, parseYaml).facts;
    return { ...file, ...facts, kind, etag: undefined, parseError: { line: 1, message: bytes } };
  }
  const facts = readIndexedNote(path, decodeText(bytes), parseYaml).facts;
  const { created } = facts.frontmatter;
  const moment = typeof created === "string" ? parseMoment(created) : undefined;
  return { ...file, ...facts, kind, etag: etagOf(bytes), createdAt: moment?.at ?? firstSeen };
}

/** The content, or in words why it cannot be read. */
function readBytes(root: string, { path, sizeBytes, inode, device }: FileStamp): Buffer | string {
  if (sizeBytes > largestNote) return `is larger than ${largestNote} bytes`;
  let file: number | undefined;
  try {
    file = openSync(join(root, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = fstatSync(file);
    // A link in a folder's place would lead to another file.
    if (stat.ino !== inode || stat.dev !== device) return "was replaced while it was read";
    return readFileSync(file);
  } catch (error) {
    return `cannot be read: ${reasonOf(error)}`;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
