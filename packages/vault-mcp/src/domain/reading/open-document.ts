import type { DocumentIndex } from "../document-index.ts";
import { VaultError } from "../errors.ts";
import { mostNearest } from "../nearest.ts";
import { parsePath, type VaultPlace } from "../vault-path.ts";
import type { VaultFile, VaultReader } from "../vault-reader.ts";

export interface Library {
  readonly index: DocumentIndex;
  readonly reader: VaultReader;
  readonly place: VaultPlace;
}

/** Files beyond this size are not read as text, bytes. */
export const largestText = 50_000_000;

const nearestWaitMs = 2_000;

/**
 * Opens the document that a path means.
 *
 * @throws VaultError INVALID_ARGUMENT, NOT_FOUND with the nearest paths, and what the reader throws.
 */
export async function openDocument(
  { index, reader, place }: Library,
  given: string,
  signal: AbortSignal,
): Promise<VaultFile> {
  if (given.trim() === "") {
    const next = "Call again with a path that list_documents gives.";
    throw new VaultError("INVALID_ARGUMENT", { argument: "path", problem: "is empty", next });
  }
  const path = parsePath("path", given, place);
  const file = await reader.read(path, given, largestText);
  if (file !== undefined) return file;
  await index.ready(nearestWaitMs, signal);
  throw new VaultError("NOT_FOUND", { path: given, nearest: await index.nearestPaths(path, mostNearest) });
}
