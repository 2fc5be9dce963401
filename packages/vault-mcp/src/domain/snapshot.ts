import type { Document } from "./document.ts";
import { keysOf } from "./property.ts";

/** Everything that the index knew at one moment. */
export interface Snapshot {
  /** In binary order of their paths. */
  readonly documents: readonly Document[];
  /** Vault-relative, without the root. */
  readonly folders: ReadonlySet<string>;
  readonly isBundle: boolean;
}

/** The frontmatter keys of all notes, nested ones with dots. */
export function knownKeys({ documents }: Snapshot): Set<string> {
  const keys = new Set<string>();
  for (const document of documents) {
    if (document.kind === "note") for (const key of keysOf(document.frontmatter)) keys.add(key);
  }
  return keys;
}

/** The tags of all notes, with those above nested ones. */
export function knownTags({ documents }: Snapshot): Set<string> {
  const tags = new Set<string>();
  for (const document of documents) {
    if (document.kind !== "note") continue;
    for (const tag of document.tags) {
      for (let slash = tag.indexOf("/"); slash > 0; slash = tag.indexOf("/", slash + 1))
        tags.add(tag.slice(0, slash));
      tags.add(tag);
    }
  }
  return tags;
}
