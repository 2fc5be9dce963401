import { createHash } from "node:crypto";

const partialMark = "-partial";

/** The tag of a content: the first 16 hex digits of its SHA-256. */
export function etagOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}

/** The tag as it is given out with less than the whole content: good for comparing, not for replacing. */
export function partialEtag(etag: string): string {
  return `${etag}${partialMark}`;
}

export function isPartialEtag(etag: string): boolean {
  return etag.endsWith(partialMark);
}

/** The tag without the mark, for comparing. */
export function wholeEtag(etag: string): string {
  return isPartialEtag(etag) ? etag.slice(0, -partialMark.length) : etag;
}
