import type { Entry } from "../entry.ts";
import { QnxFsError } from "../errors.ts";
import { readListing } from "../list-directory.ts";
import type { Listing } from "../listing.ts";
import { displayName, type RawName } from "../raw-name.ts";
import { joinPath } from "../remote-path.ts";
import type { Place } from "../roots.ts";

/** Directories of other managers: endless, or dangerous to look into. A walk that begins in them enters them. */
const neverEntered = ["/proc", "/dev"];

/** Entries of one directory that are in memory at a time. */
const entriesAtATime = 100_000;

/** Directories of each level that are read before the walk comes to them. */
const directoriesAhead = 4;

/** Deeper than any path of a target can be: 1,024 bytes. */
const deepest = 512;

/** One entry met by a walk. */
export interface WalkedEntry {
  /** Its path below the walk's root, names joined by `/`. */
  readonly path: RawName;
  /** Its real path; undefined where a name on the way is not UTF-8, so that it cannot be used. */
  readonly realPath: string | undefined;
  /** 1 for what the root itself holds. */
  readonly depth: number;
  readonly entry: Entry;
}

export interface WalkOptions {
  /** How many levels are entered; 1: the root alone. */
  readonly maxDepth?: number | undefined;
  /** The path after which it begins. */
  readonly after?: RawName | undefined;
  /** Whether it is enough; asked before each entry but the first. */
  readonly enough?: (entries: number) => boolean;
}

/** What a walk has come to; grows while it goes on. */
export interface WalkReport {
  /** Entries met. */
  entries: number;
  /** The last one. */
  last: RawName | undefined;
  /** It ended as there was enough, not at the end of the tree. */
  stopped: boolean;
  /** It came to the end of the tree. */
  ended: boolean;
  /** Directories that could not be looked into, the first ones by name. */
  readonly unreadable: string[];
  unreadableCount: number;
  /** Directories that are left out always: /proc and /dev. */
  readonly skipped: string[];
}

export function newWalkReport(): WalkReport {
  return {
    entries: 0,
    last: undefined,
    stopped: false,
    ended: false,
    unreadable: [],
    unreadableCount: 0,
    skipped: [],
  };
}

/**
 * Meets every entry below a real directory: depth first, each directory by code points and before what it holds.
 * Never goes through a link. What cannot be read is told in the report; only the root itself fails the walk.
 */
export async function* walkTree(
  place: Place,
  root: string,
  { maxDepth = deepest, after, enough = () => false }: WalkOptions,
  report: WalkReport,
  signal: AbortSignal,
): AsyncGenerator<WalkedEntry> {
  const ahead = new AbortController();
  const aheadSignal = AbortSignal.any([signal, ahead.signal]);
  const start = after === undefined ? [] : (after.split("/") as RawName[]);

  function read(directory: string, after?: RawName): Promise<Listing> {
    const position = after === undefined ? undefined : { value: null, name: after };
    const query = { sort: "name", order: "asc", pattern: undefined, types: undefined } as const;
    const request = { path: directory, ...query, after: position };
    return readListing(place, directory, request, entriesAtATime, aheadSignal);
  }

  /** `resume`: the names on the way to the entry after which it begins, while still on that way. */
  async function* visit(
    directory: string,
    prefix: RawName | "",
    depth: number,
    resume: readonly RawName[],
    listing: Promise<Listing>,
  ): AsyncGenerator<WalkedEntry> {
    let { entries, complete } = await listing;
    const [first] = resume;
    for (;;) {
      const reading = new Map<Entry, Promise<Listing>>();
      const below = entries.filter((entry) => enters(directory, entry, depth));
      let next = 0;
      for (const entry of entries) {
        if (first !== undefined && entry.name < first) continue;
        const path = (prefix === "" ? entry.name : `${prefix}/${entry.name}`) as RawName;
        const { text, lossy } = displayName(entry.name);
        const realPath = lossy ? undefined : joinPath(directory, text);
        const onTheWay = entry.name === first;
        if (!onTheWay) {
          if (report.entries > 0 && enough(report.entries)) {
            report.stopped = true;
            return;
          }
          report.entries++;
          report.last = path;
          yield { path, realPath, depth, entry };
        }
        if (entry.type !== "dir" || depth >= maxDepth) continue;
        if (realPath === undefined || realPath.length > 1024) {
          noteUnreadable(realPath ?? joinPath(directory, text));
          continue;
        }
        if (neverEntered.includes(realPath)) {
          report.skipped.push(realPath);
          continue;
        }
        while (next < below.length && reading.size < directoriesAhead) {
          const coming = below[next++] as Entry;
          if (coming.name < entry.name) continue;
          const started = read(joinPath(directory, displayName(coming.name).text));
          started.catch(() => {});
          reading.set(coming, started);
        }
        const started = reading.get(entry) as Promise<Listing>;
        reading.delete(entry);
        try {
          yield* visit(realPath, path, depth + 1, onTheWay ? resume.slice(1) : [], started);
        } catch (error) {
          if (!isUnreadable(error)) throw error;
          noteUnreadable(realPath);
        }
        if (report.stopped) return;
      }
      if (complete) return;
      const last = entries.at(-1) as Entry;
      ({ entries, complete } = await read(directory, last.name));
    }
  }

  function enters(directory: string, entry: Entry, depth: number): boolean {
    if (entry.type !== "dir" || depth >= maxDepth) return false;
    const { text, lossy } = displayName(entry.name);
    const path = joinPath(directory, text);
    return !lossy && path.length <= 1024 && !neverEntered.includes(path);
  }

  function noteUnreadable(path: string): void {
    report.unreadableCount++;
    if (report.unreadable.length < 3) report.unreadable.push(path);
  }

  try {
    yield* visit(root, "", 1, start, read(root));
    report.ended = !report.stopped;
  } finally {
    ahead.abort();
  }
}

function isUnreadable(error: unknown): boolean {
  return error instanceof QnxFsError && error.code !== "CONNECTION_LOST" && error.code !== "HANDSHAKE_FAILED";
}
