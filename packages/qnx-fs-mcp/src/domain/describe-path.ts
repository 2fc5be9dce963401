import { type Entry, statedEntry } from "./entry.ts";
import { QnxFsError } from "./errors.ts";
import { linkTarget } from "./list-directory.ts";
import { mapInParallel } from "./parallel.ts";
import { displayPath, rawNameOf } from "./raw-name.ts";
import { nameOf, parentOf } from "./remote-path.ts";
import { isInRoots, lookWithinRoots, type Place } from "./roots.ts";

/** Where a link leads in the end. */
export interface LinkDestination {
  /** null when it leads nowhere that can be told, and when it leads out of the roots. */
  readonly realPath: string | null;
  /** Whether something is there; null when that lies outside the roots, where nothing is asked. */
  readonly exists: boolean | null;
  readonly inRoots: boolean;
}

export interface DescribedPath {
  /** The path with the links of its directory resolved. */
  readonly realPath: string;
  /** Its last component; `/` for the root. */
  readonly name: string;
  readonly entry: Entry;
  /** What the link says, for a link. */
  readonly linkTarget?: string | null;
  readonly leadsTo?: LinkDestination;
}

/** What became of one of several paths. */
export interface PathOutcome {
  readonly path: string;
  readonly described?: DescribedPath;
  readonly failure?: QnxFsError;
}

const pathsAtOnce = 8;

/** Describes several paths, each by itself; only a lost connection fails them all. */
export function describePaths(
  place: Place,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly PathOutcome[]> {
  return mapInParallel(paths, pathsAtOnce, async (path): Promise<PathOutcome> => {
    try {
      return { path, described: await describePath(place, path, signal) };
    } catch (error) {
      if (error instanceof QnxFsError && error.code !== "CONNECTION_LOST") return { path, failure: error };
      throw error;
    }
  });
}

/** Describes what stands at a path, following no link in its last component. */
export async function describePath(place: Place, path: string, signal: AbortSignal): Promise<DescribedPath> {
  const { realPath, attributes } = await lookWithinRoots(place, path, signal);
  const name = nameOf(realPath) || "/";
  const entry = statedEntry(rawNameOf(name), attributes, parentOf(realPath));
  if (entry.type !== "symlink") return { realPath, name, entry };
  const [said, leadsTo] = await Promise.all([
    linkTarget(place, realPath, signal),
    linkDestination(place, realPath, signal),
  ]);
  return { realPath, name, entry, linkTarget: said, leadsTo };
}

async function linkDestination(place: Place, path: string, signal: AbortSignal): Promise<LinkDestination> {
  const real = await orUndefined(place.files.realPath(path, signal));
  if (real === undefined) return { realPath: null, exists: false, inRoots: true };
  const { text, lossy } = displayPath(real);
  if (lossy || !isInRoots(place.roots, text)) return { realPath: null, exists: null, inRoots: false };
  const there = await orUndefined(place.files.lstat(text, signal));
  return { realPath: text, exists: there !== undefined, inRoots: true };
}

async function orUndefined<Value>(request: Promise<Value>): Promise<Value | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof QnxFsError && error.code !== "CONNECTION_LOST") return undefined;
    throw error;
  }
}
