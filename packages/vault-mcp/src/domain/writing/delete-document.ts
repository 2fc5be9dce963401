import { VaultError } from "../errors.ts";
import { largestText, openDocument } from "../reading/open-document.ts";
import { outcomeNotes } from "./change-text.ts";
import { checkEtag } from "./check-etag.ts";
import type { BrokenLink } from "./rename/find-broken-links.ts";
import { parseWritePath } from "./write-path.ts";
import { refreshIndex, type WritingDeps } from "./writing-deps.ts";

export interface DeletedDocument {
  /** As the disk spelled it. */
  readonly path: string;
  /** Where it is now, in the vault's hidden trash. */
  readonly trashPath: string;
  /** The version under which its content is kept; undefined for a file that was too large. */
  readonly version: string | undefined;
  /** Links that led to it and lead to nothing now. */
  readonly brokenLinks: readonly BrokenLink[];
  readonly notes: readonly string[];
}

/**
 * Moves a document to the vault's trash.
 *
 * @throws VaultError of finding the document, ETAG_MISMATCH, TOO_LARGE where an etag cannot be compared, NOT_WRITTEN.
 */
export async function deleteDocument(
  deps: WritingDeps,
  given: string,
  ifMatch: string | undefined,
  signal: AbortSignal,
): Promise<DeletedDocument> {
  parseWritePath("path", given, deps.place);
  const { yaml } = await deps.loadEditingTools();
  const { findBrokenLinks } = await import("./rename/find-broken-links.ts");
  const options = { parseYaml: yaml.parse, signal, index: deps.links };
  const deleted = await deps.files.exclusively(signal, async () => {
    const file = await openDocument(deps, given, signal);
    if (ifMatch !== undefined) {
      if (file.bytes === undefined) {
        throw new VaultError("TOO_LARGE", { path: given, bytes: file.sizeBytes, limitBytes: largestText });
      }
      checkEtag(given, file.bytes, ifMatch);
    }
    const brokenLinks = await findBrokenLinks(deps.renames, file.path, options);
    signal.throwIfAborted();
    return { path: file.path, brokenLinks, ...(await deps.files.trash(file, given)) };
  });
  const { path, trashPath, kept, brokenLinks } = deleted;
  const late = await refreshIndex(deps, [path], signal);
  return { path, trashPath, version: kept, brokenLinks, notes: [...outcomeNotes(deleted), ...late] };
}
