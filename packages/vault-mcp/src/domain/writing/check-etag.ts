import { VaultError } from "../errors.ts";
import { etagOf, isPartialEtag, partialEtag, wholeEtag } from "../etag.ts";

/**
 * Refuses a write over a content that is not the one that the caller knows.
 *
 * @param ifMatch the tag that the caller gave, whole or partial.
 * @throws VaultError ETAG_MISMATCH with the tag of what is there.
 */
export function checkEtag(given: string, bytes: Uint8Array, ifMatch: string | undefined): void {
  const current = etagOf(bytes);
  if (ifMatch === undefined || wholeEtag(ifMatch) === current) return;
  throw new VaultError("ETAG_MISMATCH", { path: given, current: partialEtag(current) });
}

/**
 * Refuses to replace a whole content without the proof that all of it was read.
 *
 * @throws VaultError ETAG_REQUIRED, READ_INCOMPLETE, ETAG_MISMATCH.
 */
export function checkWholeEtag(given: string, bytes: Uint8Array, ifMatch: string | undefined): void {
  if (ifMatch === undefined) throw new VaultError("ETAG_REQUIRED", { path: given });
  checkEtag(given, bytes, ifMatch);
  if (isPartialEtag(ifMatch)) throw new VaultError("READ_INCOMPLETE", { path: given });
}
