import { type Entry, entryOf, statedEntry } from "./entry.ts";
import { type EntryType, kindOf } from "./entry-type.ts";
import { QnxFsError } from "./errors.ts";
import type { KeptListings } from "./kept-listings.ts";
import { indexAfter, type Listing, ListingBuilder } from "./listing.ts";
import { matchingNames } from "./name-pattern.ts";
import type { Position, SortKey, SortOrder } from "./order.ts";
import { mapInParallel } from "./parallel.ts";
import { displayName, displayPath, type RawName } from "./raw-name.ts";
import type { RawEntry } from "./remote-files.ts";
import { joinPath } from "./remote-path.ts";
import { lstatWithinRoots, type Place, resolveWithinRoots } from "./roots.ts";

const requestsAtOnce = 16;

export interface ListRequest {
  readonly path: string;
  readonly sort: SortKey;
  readonly order: SortOrder;
  /** A glob on the name. */
  readonly pattern: string | undefined;
  readonly types: readonly EntryType[] | undefined;
  /** The position after which the page begins, and the kept listing that it was in. */
  readonly after: Position | undefined;
  readonly listing: string | undefined;
  readonly count: number;
}

export interface DirectoryPage {
  readonly realPath: string;
  readonly entries: readonly Entry[];
  readonly more: boolean;
  /** The kept listing that the next page is in. */
  readonly listing: string;
  readonly total: number;
  readonly inDirectory: number;
  readonly duplicates: ReadonlySet<RawName>;
  /** The directory was read again in the middle of a walk. */
  readonly readAgain: boolean;
  /** How many entries are kept at a time, where that many and more were left when the directory was read. */
  readonly keptAtATime: number | undefined;
}

/** One page of a directory, from a kept listing where there is one. The directory may be reached through links. */
export async function listDirectory(
  place: Place,
  listings: KeptListings,
  request: ListRequest,
  signal: AbortSignal,
): Promise<DirectoryPage> {
  const { path, after, sort, order } = request;
  const realPath = await resolveWithinRoots(place, path, signal);
  await assertDirectory(place, path, realPath, signal);
  const query = JSON.stringify([place.target, realPath, sort, order, request.pattern, request.types]);
  const kept = request.listing === undefined ? undefined : listings.get(request.listing, query);
  const covered = kept !== undefined && covers(kept, request);
  const listing = covered ? kept : await readListing(place, realPath, request, listings.maxEntries, signal);
  const id = covered ? (request.listing as string) : listings.put(query, listing, request.listing);
  const start = indexAfter(listing.entries, after, request);
  const entries = listing.entries.slice(start, start + request.count);
  return {
    realPath,
    entries,
    more: start + entries.length < listing.entries.length || !listing.complete,
    listing: id,
    total: listing.total,
    inDirectory: listing.inDirectory,
    duplicates: listing.duplicates,
    readAgain: after !== undefined && !covered,
    keptAtATime: listing.complete ? undefined : listings.maxEntries,
  };
}

/** Whether a kept listing can answer the page after a position. */
function covers(listing: Listing, request: ListRequest): boolean {
  const start = indexAfter(listing.entries, request.after, request);
  if (start === 0 && listing.after !== undefined) {
    return request.after?.name === listing.after.name && request.after.value === listing.after.value;
  }
  return listing.complete || start < listing.entries.length;
}

/** Refuses what is no directory. */
export async function assertDirectory(
  place: Place,
  path: string,
  realPath: string,
  signal: AbortSignal,
): Promise<void> {
  const { mode } = await lstatWithinRoots(place, path, realPath, signal);
  const kind = kindOf(mode, undefined, realPath);
  if (kind !== undefined && kind.type !== "dir") {
    throw new QnxFsError("NOT_A_DIRECTORY", { target: place.target, path, type: kind.type });
  }
}

/** What filters and orders the entries of a directory. */
export type ListingRequest = Omit<ListRequest, "listing" | "count">;

/** Reads a real directory, keeping the first `keep` entries after a position. */
export async function readListing(
  place: Place,
  realPath: string,
  request: ListingRequest,
  keep: number,
  signal: AbortSignal,
): Promise<Listing> {
  const { sort, order, after } = request;
  const builder = new ListingBuilder({ sort, order, after, keep });
  let waiting: Entry[] = [];
  const flush = (): void => {
    const wanted = filterEntries(waiting, request);
    for (const entry of waiting) builder.add(entry, wanted.has(entry));
    waiting = [];
  };
  let checked = false;
  for await (const batch of place.files.readDirectory(realPath, signal)) {
    if (!checked) {
      await assertNotSwapped(place, request.path, realPath, signal);
      checked = true;
    }
    waiting.push(...(await typedEntries(place, batch, realPath, signal)));
    if (waiting.length >= keep) flush();
  }
  flush();
  return builder.finish();
}

/** The entries that pass the filters. */
function filterEntries(entries: readonly Entry[], { pattern, types }: ListingRequest): ReadonlySet<Entry> {
  const ofType = types === undefined ? entries : entries.filter((entry) => types.includes(entry.type));
  if (pattern === undefined) return new Set(ofType);
  const names = ofType.map((entry) => displayName(entry.name).text);
  return new Set(matchingNames(pattern, names).map((index) => ofType[index] as Entry));
}

/** Now that the directory is open, its path must still lead to itself. */
async function assertNotSwapped(
  place: Place,
  path: string,
  realPath: string,
  signal: AbortSignal,
): Promise<void> {
  const now = displayPath(await place.files.realPath(realPath, signal));
  if (now.text !== realPath) {
    const { target, roots } = place;
    throw new QnxFsError("OUTSIDE_ROOTS", { target, path, roots: roots.configured, byLink: true });
  }
}

async function typedEntries(
  place: Place,
  batch: readonly RawEntry[],
  directory: string,
  signal: AbortSignal,
): Promise<Entry[]> {
  const entries = batch.map((sent) => entryOf(sent, directory));
  const untyped = batch.flatMap((sent, index) => (entries[index] === undefined ? [{ sent, index }] : []));
  await mapInParallel(untyped, requestsAtOnce, async ({ sent, index }) => {
    entries[index] = await statUntyped(place, sent, directory, signal);
  });
  return entries as Entry[];
}

/** LSTAT for an entry whose type was not sent; it stays untyped where its name cannot be used or it is gone. */
async function statUntyped(
  place: Place,
  sent: RawEntry,
  directory: string,
  signal: AbortSignal,
): Promise<Entry> {
  const { text, lossy } = displayName(sent.name);
  const attributes = lossy
    ? sent.attributes
    : await place.files.lstat(joinPath(directory, text), signal).catch((error: unknown) => {
        if (error instanceof QnxFsError && error.code !== "CONNECTION_LOST") return sent.attributes;
        throw error;
      });
  return statedEntry(sent.name, attributes, directory);
}

/** What the links among `entries` say, by name; null for one that cannot be read. */
export async function readLinkTargets(
  place: Place,
  directory: string,
  entries: readonly Entry[],
  signal: AbortSignal,
): Promise<ReadonlyMap<RawName, string | null>> {
  const links = entries.filter((entry) => entry.type === "symlink");
  return new Map(
    await mapInParallel(links, requestsAtOnce, async ({ name }): Promise<[RawName, string | null]> => {
      const { text, lossy } = displayName(name);
      return [name, lossy ? null : await linkTarget(place, joinPath(directory, text), signal)];
    }),
  );
}

/** What a link says; null where the target does not tell. */
export async function linkTarget(place: Place, path: string, signal: AbortSignal): Promise<string | null> {
  try {
    return displayPath(await place.files.readLink(path, signal)).text;
  } catch (error) {
    if (error instanceof QnxFsError && error.code !== "CONNECTION_LOST") return null;
    throw error;
  }
}
