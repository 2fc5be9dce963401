import type { Entry } from "../entry.ts";
import type { EntryType } from "../entry-type.ts";
import type { KeptListings } from "../kept-listings.ts";
import { assertDirectory } from "../list-directory.ts";
import { indexAfter, type Listing, ListingBuilder } from "../listing.ts";
import { matchingPaths } from "../name-pattern.ts";
import { type Position, positionOf, type SortOrder } from "../order.ts";
import { displayPath, type RawName } from "../raw-name.ts";
import { type Place, resolveWithinRoots } from "../roots.ts";
import type { Clock, SearchBudget } from "./budget.ts";
import { newWalkReport, type WalkReport, walkTree } from "./walk-tree.ts";

/** Found entries that a sorted search keeps: the first ones by its order. */
const mostSorted = 10_000;
/** Entries that are compared with the pattern at a time, and the milliseconds that they may wait for it. */
const matchedAtOnce = 1_000;
const matchedWithinMs = 500;

export const findSorts = ["path", "size", "mtime"] as const;

export interface FindRequest {
  /** The directory below which to look; may be reached through links. */
  readonly path: string;
  /** A glob on the name, or on the path below `path` where it has a slash. */
  readonly pattern: string | undefined;
  readonly types: readonly EntryType[] | undefined;
  /** Bytes, both included. */
  readonly minSize: number | undefined;
  readonly maxSize: number | undefined;
  /** Seconds since 1970 by the target's clock, both excluded. */
  readonly newerThan: number | undefined;
  readonly olderThan: number | undefined;
  readonly sort: (typeof findSorts)[number];
  readonly order: SortOrder;
  readonly maxDepth: number | undefined;
  readonly count: number;
  /** After which the page begins, and the kept result that it was in. */
  readonly after: Position | undefined;
  readonly kept: KeptResult | undefined;
}

/** A sorted result that later pages come from. */
export interface KeptResult {
  readonly listing: string;
  /** Where the search ended on its budget, if it did. */
  readonly stoppedAt: string | null;
}

export interface FoundPage {
  readonly realPath: string;
  /** Named by their paths below `realPath`. */
  readonly entries: readonly Entry[];
  readonly more: boolean;
  /** Where a search by path ended on its budget; it goes on from there. */
  readonly end: Position | undefined;
  readonly kept: KeptResult | undefined;
  /** How many match, where all were looked at. */
  readonly total: number | undefined;
  /** undefined where a kept result answered. */
  readonly report: WalkReport | undefined;
}

export interface FindServices {
  readonly listings: KeptListings;
  readonly budget: SearchBudget;
  readonly now: Clock;
  /** Hears how many entries were looked at. */
  readonly progress: (entries: number) => void;
}

/** Finds entries below a directory, without going through links. */
export async function findFiles(
  place: Place,
  request: FindRequest,
  services: FindServices,
  signal: AbortSignal,
): Promise<FoundPage> {
  const realPath = await resolveWithinRoots(place, request.path, signal);
  await assertDirectory(place, request.path, realPath, signal);
  return request.sort === "path"
    ? findByPath(place, realPath, request, services, signal)
    : findSorted(place, realPath, request, request.sort, services, signal);
}

async function findByPath(
  place: Place,
  realPath: string,
  request: FindRequest,
  services: FindServices,
  signal: AbortSignal,
): Promise<FoundPage> {
  const report = newWalkReport();
  const entries: Entry[] = [];
  for await (const found of matches(place, realPath, request, services, report, signal)) {
    entries.push(...found);
    if (entries.length > request.count) break;
  }
  const page = entries.slice(0, request.count);
  const enough = entries.length > request.count;
  return {
    realPath,
    entries: page,
    more: enough || report.stopped,
    end:
      !enough && report.stopped && report.last !== undefined ? { value: null, name: report.last } : undefined,
    kept: undefined,
    // The last part may bring more than fit into the page: they are counted all the same.
    total: report.ended && request.after === undefined ? entries.length : undefined,
    report: enough ? { ...report, stopped: false } : report,
  };
}

async function findSorted(
  place: Place,
  realPath: string,
  request: FindRequest,
  sort: "size" | "mtime",
  services: FindServices,
  signal: AbortSignal,
): Promise<FoundPage> {
  const { order, after, count, kept: before } = request;
  const { listings } = services;
  const { path: _path, after: _after, kept: _kept, count: _count, ...filters } = request;
  const query = JSON.stringify(["find", place.target, realPath, filters]);
  let listing: Listing | undefined = before && listings.get(before.listing, query);
  let kept = before;
  let report: WalkReport | undefined;
  if (listing === undefined || kept === undefined) {
    report = newWalkReport();
    const builder = new ListingBuilder({ sort, order, after: undefined, keep: mostSorted });
    for await (const found of matches(
      place,
      realPath,
      { ...request, after: undefined },
      services,
      report,
      signal,
    )) {
      for (const entry of found) builder.add(entry, true);
    }
    listing = builder.finish();
    const stoppedAt = report.stopped && report.last !== undefined ? displayPath(report.last).text : null;
    kept = { listing: listings.put(query, listing, before?.listing), stoppedAt };
  }
  const start = indexAfter(listing.entries, after, { sort, order });
  const entries = listing.entries.slice(start, start + count);
  const more = start + entries.length < listing.entries.length;
  const total = kept.stoppedAt === null ? listing.total : undefined;
  return { realPath, entries, more, end: undefined, kept, total, report };
}

/** What matches, in the order of the walk, in parts. */
async function* matches(
  place: Place,
  realPath: string,
  request: FindRequest,
  { budget, now, progress }: FindServices,
  report: WalkReport,
  signal: AbortSignal,
): AsyncGenerator<readonly Entry[]> {
  const until = now() + budget.ms;
  const { maxDepth, after } = request;
  const enough = (entries: number): boolean => entries >= budget.entries || now() >= until;
  let waiting: Entry[] = [];
  let since = now();
  for await (const { path, entry } of walkTree(
    place,
    realPath,
    { maxDepth, after: after?.name, enough },
    report,
    signal,
  )) {
    if (passes(entry, request)) waiting.push({ ...entry, name: path });
    if (waiting.length < matchedAtOnce && now() - since < matchedWithinMs) continue;
    progress(report.entries);
    yield matching(waiting, request.pattern);
    waiting = [];
    since = now();
  }
  yield matching(waiting, request.pattern);
}

function matching(entries: readonly Entry[], pattern: string | undefined): readonly Entry[] {
  if (pattern === undefined) return entries;
  const paths = entries.map(({ name }) => displayPath(name).text);
  return matchingPaths(pattern, paths).map((index) => entries[index] as Entry);
}

/** Whether an entry passes everything but the pattern; what the target does not tell passes no bound. */
function passes({ type, size, mtime }: Entry, request: FindRequest): boolean {
  const { types, minSize, maxSize, newerThan, olderThan } = request;
  if (types !== undefined && !types.includes(type)) return false;
  if (minSize !== undefined && (size === null || size < minSize)) return false;
  if (maxSize !== undefined && (size === null || size > maxSize)) return false;
  if (newerThan !== undefined && (mtime === null || mtime <= newerThan)) return false;
  return olderThan === undefined || (mtime !== null && mtime < olderThan);
}

/** The position of a found entry. */
export function foundPosition(entry: Entry, sort: FindRequest["sort"]): Position {
  return sort === "path" ? { value: null, name: entry.name as RawName } : positionOf(entry, sort);
}
