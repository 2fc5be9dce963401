import type { VaultGraph } from "../domain/graph/vault-graph.ts";
import type { FolderScope } from "../domain/restrict/folder-scope.ts";
import type { VaultSearch } from "../domain/search/vault-search.ts";
import type { VaultSurvey } from "../domain/survey/vault-survey.ts";
import type { LinkIndex } from "../domain/writing/rename/link-index.ts";
import type { CreatedIndex } from "./create-index.ts";
import { restrictConnection } from "./index/answering/restrict-connection.ts";
import { once } from "./writing/once.ts";

/** Everything that answers from the index. */
export interface IndexLibrary {
  readonly search: VaultSearch;
  readonly graph: VaultGraph;
  readonly survey: VaultSurvey;
  readonly links: LinkIndex;
}

/** What answers from an index, for a caller who may be limited to some folders; each is loaded with its first use. */
export function createLibrary(
  { index, connection }: CreatedIndex,
  now: () => Date,
  scope?: FolderScope,
): IndexLibrary {
  const own = scope === undefined ? connection : restrictConnection(connection, scope);
  const search = once(
    async () => new (await import("./index/answering/sqlite-search.ts")).SqliteSearch(own, now),
  );
  const graph = once(async () => new (await import("./index/answering/sqlite-graph.ts")).SqliteGraph(own));
  const survey = once(
    async () => new (await import("./index/answering/sqlite-survey.ts")).SqliteSurvey(own, now),
  );
  const links = once(
    async () => new (await import("./index/answering/sqlite-link-index.ts")).SqliteLinkIndex(index, own),
  );
  return {
    links: {
      current: async (...args) => (await links()).current(...args),
      sources: async (...args) => (await links()).sources(...args),
    },
    search: {
      search: async (...args) => (await search()).search(...args),
      similarWords: async (...args) => (await search()).similarWords(...args),
    },
    graph: {
      links: async (...args) => (await graph()).links(...args),
      check: async (...args) => (await graph()).check(...args),
    },
    survey: {
      folders: async (...args) => (await survey()).folders(...args),
      tags: async (...args) => (await survey()).tags(...args),
      properties: async (...args) => (await survey()).properties(...args),
      values: async (...args) => (await survey()).values(...args),
      counts: async (...args) => (await survey()).counts(...args),
      brokenNotes: async (...args) => (await survey()).brokenNotes(...args),
    },
  };
}
