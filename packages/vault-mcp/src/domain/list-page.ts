import { VaultError } from "./errors.ts";
import type { ListedDocument, ListRequest, ListWalk } from "./listing.ts";
import { okfFacts } from "./okf.ts";
import type { Selection } from "./select-documents.ts";
import { comparePositions, type SortPosition } from "./sort-order.ts";

interface Cut {
  readonly documents: readonly ListedDocument[];
  readonly more: boolean;
}

/**
 * The page of a selection after a position. A walk by path takes what there is now; a walk by another key leaves out
 * what came or changed since its first page, so that each document comes once at most and the walk ends.
 */
export function cutPage(
  selection: Selection,
  { query, after, walk, limit }: ListRequest,
  context: { readonly isBundle: boolean; readonly now: Date },
): Cut {
  const { documents } = selection;
  const { key, descending } = query.order;
  // By path all positions have the same rank, and the order of paths is the whole order.
  const compare = (a: SortPosition, b: SortPosition) =>
    key === "path" && descending ? comparePositions(b, a, false) : comparePositions(a, b, descending);
  const page: ListedDocument[] = [];
  for (let index = after === undefined ? 0 : firstAfter(selection, after, compare); ; index += 1) {
    const document = documents[index];
    if (document === undefined) return { documents: page, more: false };
    if (walk !== undefined && document.changedIn > walk.generation) continue;
    if (page.length === limit) return { documents: page, more: true };
    const okf =
      context.isBundle && document.kind === "note" ? okfFacts(document.frontmatter, context.now) : undefined;
    page.push({ document, position: selection.positionAt(index), okf });
  }
}

function firstAfter(
  { documents, positionAt }: Selection,
  after: SortPosition,
  compare: (a: SortPosition, b: SortPosition) => number,
): number {
  let low = 0;
  let high = documents.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(positionAt(middle), after) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** @throws VaultError INVALID_CURSOR for a walk that began in another life of the index. */
export function checkWalk(walk: ListWalk | undefined, epoch: string): void {
  if (walk !== undefined && walk.epoch !== epoch) {
    throw new VaultError("INVALID_CURSOR", {
      reason: "the server was started again since the first page, and this order can have changed",
    });
  }
}
