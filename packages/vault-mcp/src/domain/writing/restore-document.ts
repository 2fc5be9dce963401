import { VaultError } from "../errors.ts";
import { etagOf, wholeEtag } from "../etag.ts";
import { largestText } from "../reading/open-document.ts";
import { outcomeNotes } from "./change-text.ts";
import { describeVersions, type KeptVersion } from "./note-files.ts";
import { parseWritePath } from "./write-path.ts";
import { refreshIndex, type WritingDeps } from "./writing-deps.ts";

export interface RestoredDocument {
  readonly path: string;
  readonly version: string;
  /** When that content went, milliseconds since 1970. */
  readonly at: number;
  /** The version under which the content that was there is kept. */
  readonly replacedVersion: string | undefined;
  readonly sizeBytes: number;
  readonly notes: readonly string[];
}

/**
 * Puts an older content back at its path: the version that is named, or the one that was deleted last.
 *
 * @throws VaultError VERSION_NOT_FOUND, ALREADY_EXISTS where a document is there and no version was named, and what
 *   making and replacing files throws.
 */
export async function restoreDocument(
  deps: WritingDeps,
  given: string,
  version: string | undefined,
  signal: AbortSignal,
): Promise<RestoredDocument> {
  const path = parseWritePath("path", given, deps.place);
  const restored = await deps.files.exclusively(signal, async () => {
    const file = await deps.reader.read(path, given, largestText);
    const place = file?.path ?? path;
    if (file !== undefined && version === undefined) {
      throw new VaultError("ALREADY_EXISTS", { path: given, found: place });
    }
    if (file !== undefined && file.bytes === undefined) {
      throw new VaultError("TOO_LARGE", { path: given, bytes: file.sizeBytes, limitBytes: largestText });
    }
    const { kept, bytes } = await findVersion(deps, place, given, version);
    signal.throwIfAborted();
    const { version: found, at } = kept;
    const common = { version: found, at, sizeBytes: bytes.length };
    if (file?.bytes === undefined) {
      const made = await deps.files.create(path, given, bytes);
      await deps.files.forgetTrashed(made.path, found);
      return { ...common, ...made, outcome: undefined };
    }
    const isThere = etagOf(file.bytes) === found;
    const outcome = isThere
      ? undefined
      : await deps.files.replace({ ...file, bytes: file.bytes }, given, bytes);
    return { ...common, path: place, scope: place, outcome };
  });
  const { outcome, scope, ...rest } = restored;
  const late = await refreshIndex(deps, [scope], signal);
  return { ...rest, replacedVersion: outcome?.kept, notes: [...outcomeNotes(outcome), ...late] };
}

async function findVersion(
  { files }: WritingDeps,
  path: string,
  given: string,
  version: string | undefined,
): Promise<{ kept: KeptVersion; bytes: Buffer }> {
  const versions = await files.versions(path);
  const wanted = version === undefined ? undefined : wholeEtag(version.trim());
  const kept = versions.find((one) => (wanted === undefined ? one.wasDeleted : one.version === wanted));
  const bytes = kept === undefined ? undefined : (await files.readVersion(path, kept.version))?.bytes;
  if (kept === undefined || bytes === undefined) {
    const known = describeVersions(versions);
    throw new VaultError("VERSION_NOT_FOUND", { path: given, version: version ?? "", versions: known });
  }
  return { kept, bytes };
}
