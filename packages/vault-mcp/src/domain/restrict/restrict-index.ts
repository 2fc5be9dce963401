import type { DocumentIndex, IndexProgress } from "../document-index.ts";
import { type FolderScope, isInScope } from "./folder-scope.ts";

/** The index as a caller sees it who is limited to some folders; what lies outside is not even counted. */
export function restrictIndex(index: DocumentIndex, scope: FolderScope): DocumentIndex {
  return {
    // How much there is to read, and how often anything changes, tells of what lies outside.
    ready: async (maxMs, signal) => withoutCounts(await index.ready(maxMs, signal)),
    settle: (maxMs, signal) => index.settle(maxMs, signal),
    refresh: (paths, maxMs, signal) =>
      index.refresh(
        paths.filter((path) => isInScope(path, scope)),
        maxMs,
        signal,
      ),
    list: ({ query, ...request }) => index.list({ ...request, query: { ...query, within: scope } }),
    nearestPaths: (path, most) => index.nearestPaths(path, most, scope),
    health: () => ({ ...index.health(), pending: 0 }),
    subscribe: (listener) =>
      index.subscribe(({ paths, listChanged }) => {
        const own = paths.filter((path) => isInScope(path, scope));
        if (own.length > 0) listener({ paths: own, listChanged });
      }),
    // It is not this caller's to end.
    close: async () => {},
  };
}

function withoutCounts({ state, stale }: IndexProgress): IndexProgress {
  return { state, stale, indexed: 0, found: 0 };
}
