import { type Entry, statedEntry } from "../entry.ts";
import { QnxFsError } from "../errors.ts";
import { readListing } from "../list-directory.ts";
import { lstatIfThere } from "../lstat-if-there.ts";
import { rawNameOf } from "../raw-name.ts";
import { nameOf, parentOf } from "../remote-path.ts";
import { locateWithinRoots, lstatWithinRoots, type Place, resolveWithinRoots } from "../roots.ts";
import type { Clock } from "../searching/budget.ts";
import type { KeptStates, SeenState } from "./kept-states.ts";
import type { WatchMemory } from "./watch-cursor.ts";

const mostEntries = 100_000;
/** Milliseconds between two looks; a slow target is looked at less often. */
const pollMs = 1_000;
const slowestPollMs = 15_000;
/** Looks at which an entry must be the same to count as done. */
const looksUnchanged = 2;

export interface WatchRequest {
  /** A directory whose entries are watched, or a file, which need not be there yet. */
  readonly path: string;
  /** A glob on the names in a directory. */
  readonly pattern: string | undefined;
  readonly timeoutMs: number;
  /** What the answer before remembered. */
  readonly since: WatchMemory | undefined;
}

export interface WatchServices {
  readonly states: KeptStates;
  readonly now: Clock;
  /** Waits; fails with the signal's reason. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Hears of each look: milliseconds since the beginning, and what is waited for. */
  readonly progress: (ms: number, message: string) => void;
}

export interface WatchOutcome {
  /** New or changed entries that have stopped growing; of a file itself, or of a directory. */
  readonly entries: readonly Entry[];
  /** New or changed entries that went on growing to the end. */
  readonly growing: readonly Entry[];
  readonly realPath: string;
  /** The path is that of a file, which is the one entry. */
  readonly single: boolean;
  readonly waitedMs: number;
  readonly memory: WatchMemory;
  /** The state of `since` is gone: only the time of modification told what is new. */
  readonly stateLost: boolean;
}

/** What is there at one look. */
interface Look {
  readonly realPath: string;
  readonly single: boolean;
  readonly entries: readonly Entry[];
}

/** Waits until an entry appears or changes and then stays the same for a while, or the time is over. */
export async function watchPath(
  place: Place,
  { path, pattern, timeoutMs, since }: WatchRequest,
  { states, now, sleep, progress }: WatchServices,
  signal: AbortSignal,
): Promise<WatchOutcome> {
  const start = now();
  const look = (): Promise<Look> => lookAt(place, path, pattern, signal);
  let current = await look();
  let lookMs = now() - start;
  const known = since && states.get(since.state);
  const baseline = known ?? (since === undefined ? stateOf(current.entries) : undefined);
  /** Whether an entry is new or changed since the beginning. */
  const isNews = (entry: Entry): boolean =>
    baseline === undefined
      ? entry.mtime !== null && entry.mtime > (since?.latest ?? 0)
      : baseline.get(entry.name) !== versionOf(entry);
  /** For each entry that is news: its last version, and at how many looks it was that. */
  let pending = new Map<string, { version: string; looks: number }>();

  for (;;) {
    const news = current.entries.filter(isNews);
    const before = pending;
    pending = new Map(
      news.map((entry) => {
        const version = versionOf(entry);
        const last = before.get(entry.name);
        return [entry.name, { version, looks: last?.version === version ? last.looks + 1 : 1 }];
      }),
    );
    const isDone = ({ name }: Entry): boolean => (pending.get(name)?.looks ?? 0) > looksUnchanged;
    const done = news.filter(isDone);
    const waited = now() - start;
    if (done.length > 0 || waited >= timeoutMs) {
      const growing = news.filter((entry) => !isDone(entry));
      // What still grows is left as it was before, so that the next call tells it.
      const seen = nextState(current.entries, growing, baseline);
      const latest = latestOf(current.entries, growing, since?.latest ?? 0);
      return {
        entries: done,
        growing,
        realPath: current.realPath,
        single: current.single,
        waitedMs: waited,
        memory: { state: states.put(seen), latest },
        stateLost: since !== undefined && known === undefined,
      };
    }
    progress(
      waited,
      news.length === 0 ? "nothing new yet" : `${news.length} new or changed, waiting for the end`,
    );
    // A look that takes long is not repeated at once.
    const pause = Math.min(Math.max(pollMs, 3 * lookMs), slowestPollMs, timeoutMs - waited);
    await sleep(pause, signal);
    const began = now();
    current = await look();
    lookMs = now() - began;
  }
}

async function lookAt(
  place: Place,
  path: string,
  pattern: string | undefined,
  signal: AbortSignal,
): Promise<Look> {
  const realPath = await resolveOrLocate(place, path, signal);
  const attributes = await lstatIfThere(place.files, realPath, signal);
  const holder = parentOf(realPath);
  if (attributes === undefined) {
    await lstatWithinRoots(place, parentOf(path), holder, signal);
    return { realPath, single: true, entries: [] };
  }
  const entry = statedEntry(rawNameOf(nameOf(realPath) || "/"), attributes, holder);
  if (entry.type !== "dir") return { realPath, single: true, entries: [entry] };
  const query = { path, sort: "name", order: "asc", pattern, types: undefined, after: undefined } as const;
  const listing = await readListing(place, realPath, query, mostEntries, signal);
  return { realPath, single: false, entries: listing.entries };
}

/** Where a path leads; where nothing is there yet, where it will lie. */
async function resolveOrLocate(place: Place, path: string, signal: AbortSignal): Promise<string> {
  try {
    return await resolveWithinRoots(place, path, signal);
  } catch (error) {
    if (error instanceof QnxFsError && error.code === "NOT_FOUND")
      return locateWithinRoots(place, path, signal);
    throw error;
  }
}

function versionOf({ type, size, mtime }: Entry): string {
  return `${type} ${size} ${mtime}`;
}

function stateOf(entries: readonly Entry[]): SeenState {
  return new Map(entries.map((entry) => [entry.name, versionOf(entry)]));
}

function nextState(
  entries: readonly Entry[],
  growing: readonly Entry[],
  baseline: SeenState | undefined,
): SeenState {
  const state = new Map(stateOf(entries));
  for (const { name } of growing) {
    const before = baseline?.get(name);
    if (before === undefined) state.delete(name);
    else state.set(name, before);
  }
  return state;
}

function latestOf(entries: readonly Entry[], growing: readonly Entry[], before: number): number {
  const unfinished = new Set(growing.map(({ name }) => name));
  const times = entries.filter(({ name }) => !unfinished.has(name)).map(({ mtime }) => mtime ?? 0);
  // Not Math.max(...times): there may be a hundred thousand.
  return times.reduce((latest, time) => Math.max(latest, time), before);
}
