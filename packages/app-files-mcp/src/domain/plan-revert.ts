import { AppFilesError } from "./errors.ts";
import type { FileRecord } from "./file-record.ts";

/** What is known of a path that changed after some files_version. */
export interface PathPast {
  readonly path: string;
  readonly current: FileRecord | undefined;
  /** The last change up to that files_version that is kept; `content` is undefined when it was a deletion. */
  readonly was: { readonly content: FileRecord | undefined } | undefined;
  /** The oldest change that is kept; all before it were forgotten. */
  readonly oldest: { readonly filesVersion: number; readonly version: number; readonly isDeletion: boolean };
}

/** How a prefix becomes what it was. */
export interface RevertPlan {
  readonly deletions: readonly FileRecord[];
  /** What shrinks comes before what grows, so that a limit that holds at the end holds on the way. */
  readonly writes: readonly FileRecord[];
}

/**
 * Decides what must change so that these paths are what they were; paths that are so already are left alone.
 *
 * @throws AppFilesError HISTORY_EXPIRED when it is no longer known of some path.
 */
export function planRevert(pasts: readonly PathPast[], asOf: number): RevertPlan {
  const deletions: FileRecord[] = [];
  const writes: { readonly record: FileRecord; readonly growth: number }[] = [];
  let expired: PathPast | undefined;
  for (const past of pasts) {
    const { current, was, oldest } = past;
    // The first write of a path says that there was nothing before it.
    const isKnown = was !== undefined || (oldest.version === 1 && !oldest.isDeletion);
    if (!isKnown && oldest.filesVersion > (expired?.oldest.filesVersion ?? 0)) expired = past;
    const wanted = was?.content;
    if (wanted === undefined && current !== undefined) deletions.push(current);
    if (wanted !== undefined && !isSame(wanted, current)) {
      writes.push({ record: wanted, growth: wanted.size - (current?.size ?? 0) });
    }
  }
  if (expired !== undefined) {
    const { path, oldest } = expired;
    throw new AppFilesError("HISTORY_EXPIRED", { path, asOf, oldest: oldest.filesVersion });
  }
  writes.sort((a, b) => a.growth - b.growth);
  return { deletions, writes: writes.map(({ record }) => record) };
}

function isSame(wanted: FileRecord, current: FileRecord | undefined): boolean {
  return current?.sha256 === wanted.sha256 && current.mime === wanted.mime;
}

/** @throws AppFilesError INVALID_ARGUMENT for a files_version that the app has not reached. */
export function checkAsOf(asOf: number, filesVersion: number): void {
  if (asOf <= filesVersion) return;
  throw new AppFilesError("INVALID_ARGUMENT", {
    argument: "as_of",
    problem: `${asOf} is later than the app's files_version, ${filesVersion}`,
    next: "Call again with as_of as a files_version that an earlier answer for this app gave.",
  });
}
