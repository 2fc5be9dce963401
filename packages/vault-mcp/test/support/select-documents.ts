import { type Document, isInFolder } from "../../src/domain/document.ts";
import { type Condition, holds, matchesFrontmatter } from "../../src/domain/listing/filters.ts";
import { isFilterable, type ListQuery } from "../../src/domain/listing/listing.ts";
import { matchPattern } from "../../src/domain/listing/pattern.ts";
import { comparePositions, positionOf, type SortPosition } from "../../src/domain/listing/sort-order.ts";
import type { Scalar } from "../../src/domain/note/scalar.ts";
import { hasTag } from "../../src/domain/note/tags.ts";
import { bundleKeys, okfFacts } from "../../src/domain/okf.ts";

/** Documents in binary order of their paths. */
export interface Snapshot {
  readonly documents: readonly Document[];
  readonly isBundle: boolean;
}

/** The documents of a query in its order. */
export interface Selection {
  readonly documents: readonly Document[];
  /** The position of a document by its index. */
  positionAt(index: number): SortPosition;
}

/**
 * Evaluates a query document by document: what the index must agree with.
 *
 * @throws VaultError INVALID_ARGUMENT for a text that is no pattern, PATTERN_TOO_COSTLY.
 */
export function selectDocuments(snapshot: Snapshot, query: ListQuery, now: Date): Selection {
  const matched = query.pattern === undefined ? undefined : matchedPaths(snapshot, query.pattern);
  const documents = snapshot.documents.filter(
    (document, index) =>
      (matched === undefined || matched[index] === 1) && isSelected(document, query, snapshot.isBundle, now),
  );
  const { key, descending } = query.order;
  if (key === "path") {
    const ordered = descending ? documents.reverse() : documents;
    return { documents: ordered, positionAt: (index) => positionOf(ordered[index] as Document, key) };
  }
  const placed = documents.map((document) => ({ document, position: positionOf(document, key) }));
  placed.sort((a, b) => comparePositions(a.position, b.position, descending));
  const positions = placed.map(({ position }) => position);
  return {
    documents: placed.map(({ document }) => document),
    positionAt: (index) => positions[index] as SortPosition,
  };
}

function matchedPaths({ documents }: Snapshot, pattern: string): Uint8Array {
  const paths = documents.map(({ path }) => path);
  const matched = new Uint8Array(paths.length);
  for (const index of matchPattern(pattern, paths)) matched[index] = 1;
  return matched;
}

function isSelected(document: Document, query: ListQuery, isBundle: boolean, now: Date): boolean {
  const { folder, conditions, tags, modifiedFrom, modifiedBefore } = query;
  if (document.kind === "attachment" && !query.includeAttachments) return false;
  if (folder !== undefined && !isInFolder(document.path, folder)) return false;
  if (modifiedFrom !== undefined && document.modifiedAt < modifiedFrom) return false;
  if (modifiedBefore !== undefined && document.modifiedAt >= modifiedBefore) return false;
  const own = document.kind === "note" ? document.tags : [];
  if (!tags.every((tag) => hasTag(own, tag))) return false;
  if (conditions.length === 0) return true;
  if (!isFilterable(document)) return false;
  return conditions.every((condition) => {
    if (!isBundle || !bundleKeys.includes(condition.key))
      return matchesFrontmatter(condition, document.frontmatter);
    return holds(condition, [bundleValue(document.frontmatter, condition, now)], true);
  });
}

function bundleValue(frontmatter: Parameters<typeof okfFacts>[0], { key }: Condition, now: Date): Scalar {
  const { status, stale, trustTier } = okfFacts(frontmatter, now);
  if (key === "status") return status;
  return key === "stale" ? stale : trustTier;
}
