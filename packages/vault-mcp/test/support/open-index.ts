import { createIndex } from "../../src/adapters/create-index.ts";
import type { IndexConnection } from "../../src/adapters/index/answering/index-snapshot.ts";
import type { StartKeeper, WatchMode } from "../../src/adapters/index/keeper-messages.ts";
import type { DocumentIndex } from "../../src/domain/document-index.ts";
import { type ListArguments, parseListQuery } from "../../src/domain/listing/list-query.ts";
import type { ListPage, ListQuery } from "../../src/domain/listing/listing.ts";
import type { OkfMode } from "../../src/domain/okf.ts";
import type { VaultPlace } from "../../src/domain/vault-path.ts";
import { createVisibility, defaultAttachments, type VisibilityRules } from "../../src/domain/visibility.ts";
import { keeperHere } from "./keeper-here.ts";

export interface OpenedIndex {
  readonly index: DocumentIndex;
  readonly connection: IndexConnection;
  /** Where the index lies. */
  readonly file: string;
  readonly warnings: string[];
  query(args?: Partial<ListArguments>): ListQuery;
  /** The first page of everything that is asked for. */
  page(args?: Partial<ListArguments>): Promise<ListPage>;
  paths(args?: Partial<ListArguments>): Promise<string[]>;
}

export interface IndexSetup {
  readonly watch?: WatchMode;
  readonly okf?: OkfMode;
  readonly now?: () => Date;
  readonly mostByChokidar?: number;
  readonly checkEveryMs?: number;
  /** The index file; one of its own beside the vault unless said otherwise. */
  readonly file?: string;
  readonly startKeeper?: StartKeeper;
  readonly rules?: Partial<VisibilityRules>;
}

/** The index of a folder on the real file system. */
export function openIndex(root: string, setup: IndexSetup = {}): OpenedIndex {
  const { watch = "off", okf = "auto", mostByChokidar, checkEveryMs, now = () => new Date() } = setup;
  const { file = `${root}.index/index.sqlite` } = setup;
  const rules = { exclude: [], attachments: defaultAttachments, ...setup.rules };
  const visibility = createVisibility(rules);
  const place: VaultPlace = { roots: [root], windows: false };
  const warnings: string[] = [];
  const { index, connection } = createIndex({
    root,
    rules,
    file,
    okf,
    watch,
    ...(mostByChokidar !== undefined && { mostByChokidar }),
    ...(checkEveryMs !== undefined && { checkEveryMs }),
    startKeeper: setup.startKeeper ?? keeperHere(now),
    now,
    warn: (message) => warnings.push(message),
  });
  const defaults = { include_attachments: false, sort: "path", order: "asc" } as const;
  const query = (args: Partial<ListArguments> = {}) =>
    parseListQuery({ ...defaults, ...args }, place, visibility);
  const page = async (args: Partial<ListArguments> = {}) => {
    await index.ready(20_000, new AbortController().signal);
    return index.list({ query: query(args), after: undefined, walk: undefined, limit: 1_000 });
  };
  return {
    index,
    connection,
    file,
    warnings,
    query,
    page,
    paths: async (args) => (await page(args)).documents.map(({ document }) => document.path),
  };
}
