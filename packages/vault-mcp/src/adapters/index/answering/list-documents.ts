import type { Document } from "../../../domain/document.ts";
import { checkWalk } from "../../../domain/listing/check-walk.ts";
import type { ListedDocument, ListPage, ListRequest } from "../../../domain/listing/listing.ts";
import { comparePositions, positionOf, type SortPosition } from "../../../domain/listing/sort-order.ts";
import { okfFacts } from "../../../domain/okf.ts";
import { findHints } from "./find-hints.ts";
import type { IndexView } from "./index-view.ts";
import { keysetPage, suitsKeyset } from "./keyset-page.ts";
import { orderIds } from "./order-ids.ts";

/** What a page is cut from: documents in order, from a place on. */
interface Source {
  readonly total: number;
  /** The next ids, `most` of them unless there are fewer. */
  next(most: number): readonly number[];
}

/** A page of the documents of a query. */
export function listDocuments(view: IndexView, request: ListRequest): ListPage {
  const { query, walk, limit } = request;
  checkWalk(walk, view.epoch);
  const source = suitsKeyset(view, query) ? keysetPage(view, request) : selectionPage(view, request);
  const documents: ListedDocument[] = [];
  let more = false;
  for (let ids = source.next(limit + 1); ids.length > 0 && !more; ids = more ? [] : source.next(limit + 1)) {
    for (const document of view.documents(ids)) {
      if (walk !== undefined && document.changedIn > walk.generation) continue;
      if (documents.length === limit) more = true;
      else documents.push(listed(view, document, request));
      if (more) break;
    }
  }
  return {
    documents,
    more,
    total: source.total,
    walk: walk ?? { epoch: view.epoch, generation: view.generation },
    changedSince: walk !== undefined && walk.generation !== view.generation,
    hints: findHints(view, query, source.total),
  };
}

function listed(view: IndexView, document: Document, { query }: ListRequest): ListedDocument {
  const okf =
    view.isBundle && document.kind === "note" ? okfFacts(document.frontmatter, view.now) : undefined;
  return { document, position: positionOf(document, query.order.key), okf };
}

/** The documents of a query in its order: one pass over all of them in memory, kept for the later pages. */
function selectionPage(view: IndexView, { query, after }: ListRequest): Source {
  const { order, ...conditions } = query;
  const ids = view.keep(`list ${JSON.stringify(query)} ${stage(view, query)}`, () => {
    const selected = view.select(conditions);
    return orderIds(view, order, query.includeAttachments).filter((id) => selected[id] === 1);
  });
  let at = after === undefined ? 0 : firstAfter(view, ids, query, after);
  return {
    total: ids.length,
    next(most) {
      const page = [...ids.subarray(at, at + most)];
      at += page.length;
      return page;
    },
  };
}

/** What is stale depends on the hour: such a list is good for one answer. */
function stage(view: IndexView, { conditions }: ListRequest["query"]): string {
  return view.isBundle && conditions.some(({ key }) => key === "stale") ? String(view.now.getTime()) : "";
}

function firstAfter(
  view: IndexView,
  ids: Int32Array,
  { order }: ListRequest["query"],
  after: SortPosition,
): number {
  const { key, descending } = order;
  // By path all positions have the same rank, and the order of paths is the whole order.
  const compare = (a: SortPosition, b: SortPosition) =>
    key === "path" && descending ? comparePositions(b, a, false) : comparePositions(a, b, descending);
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const [document] = view.documents([ids[middle] as number]);
    if (document !== undefined && compare(positionOf(document, key), after) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}
