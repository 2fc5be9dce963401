import type { ListWalk } from "../listing/listing.ts";
import type { FolderCounts } from "./count-folders.ts";
import type { PropertyCount, ValueCount } from "./count-properties.ts";
import type { TagCount } from "./count-tags.ts";

/** A list as the index had it at one moment. */
export interface Counted<Item> {
  readonly items: readonly Item[];
  readonly walk: ListWalk;
  /** Whether the vault changed since that moment. */
  readonly changedSince: boolean;
}

/** A note that cannot be parsed, and why. */
export interface BrokenNote {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

export interface VaultCounts {
  readonly notes: number;
  readonly attachments: number;
  readonly folders: number;
  /** Of all notes and attachments. */
  readonly bytes: number;
  readonly links: number;
  /** Undefined where the vault is no bundle. */
  readonly bundle: BundleCounts | undefined;
}

/** How many notes of a bundle have each value, the most frequent first; reserved names (index.md, log.md) aside. */
export interface BundleCounts {
  readonly types: readonly (readonly [type: string, notes: number])[];
  readonly untyped: number;
  readonly status: readonly (readonly [status: string, notes: number])[];
  readonly trustTier: readonly (readonly [tier: string, notes: number])[];
  readonly stale: number;
  readonly reserved: number;
}

/**
 * What the vault has, counted. A walk's later pages get the very list of its first.
 *
 * Every method throws VaultError INVALID_CURSOR for a walk whose list is not kept any more.
 */
export interface VaultSurvey {
  /** In binary order of their paths, the root first. */
  folders(walk: ListWalk | undefined, signal: AbortSignal): Promise<Counted<FolderCounts>>;
  /** In folded order. */
  tags(walk: ListWalk | undefined, signal: AbortSignal): Promise<Counted<TagCount>>;
  /** The most used first. */
  properties(walk: ListWalk | undefined, signal: AbortSignal): Promise<Counted<PropertyCount>>;
  /** The most used first; a key is compared in NFC. */
  values(key: string, walk: ListWalk | undefined, signal: AbortSignal): Promise<Counted<ValueCount>>;
  counts(signal: AbortSignal): Promise<VaultCounts>;
  /** By path, after a path. */
  brokenNotes(
    after: string | undefined,
    limit: number,
  ): Promise<{ readonly notes: readonly BrokenNote[]; readonly total: number }>;
}
