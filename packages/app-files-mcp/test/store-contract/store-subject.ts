import { afterEach, beforeEach, expect } from "vitest";
import { describeContent } from "../../src/domain/content.ts";
import { AppFilesError } from "../../src/domain/errors.ts";
import type { RemovalReceipt } from "../../src/domain/file-changes.ts";
import type { WriteReceipt } from "../../src/domain/file-record.ts";
import { defaultLimits, defaultRetention, type Limits, type Retention } from "../../src/domain/limits.ts";
import type { ListFilter, Listing, ListQuery, ListView } from "../../src/domain/listing.ts";
import { readAll } from "../../src/domain/read-window.ts";
import type { FileStore, WriteRequest } from "../../src/domain/store.ts";

/** How a store is made for one test. */
export interface StoreFixture {
  readonly store: FileStore;
  dispose(): Promise<void>;
}

export interface StoreSetting {
  readonly limits: Limits;
  readonly retention: Retention;
  readonly now: () => number;
}

export type CreateStore = (setting: StoreSetting) => Promise<StoreFixture>;

export type FilesView = Extract<ListView, { kind: "files" }>;

export const byPath: FilesView = { kind: "files", sort: "path", order: "asc", folders: false };

export const dayMs = 24 * 60 * 60 * 1000;

/** A new store for every test of a `describe` block, its clock, and short ways to work with it. */
export interface StoreSubject {
  readonly store: FileStore;
  readonly clock: { now: number };
  make(limits?: Partial<Limits>, retention?: Partial<Retention>): Promise<FileStore>;
  /** Makes another store the one that is tested. */
  use(limits?: Partial<Limits>, retention?: Partial<Retention>): Promise<void>;
  put(
    path: string,
    content?: string | Uint8Array,
    more?: Partial<WriteRequest>,
    on?: FileStore,
  ): Promise<WriteReceipt>;
  remove(path: string, app?: string): Promise<RemovalReceipt>;
  query(view?: ListView, filter?: ListFilter): ListQuery;
  list(view?: ListView, filter?: ListFilter): Promise<Listing>;
  namesOf(listing: Listing): string[];
  textOf(path: string, version?: number): Promise<string>;
  /** The failure that an action ends in, its code with its details. */
  failure(action: Promise<unknown>): Promise<unknown>;
  /** All pages, as a caller walks them; `between` happens after each page. */
  walk(
    view: ListView,
    filter: ListFilter,
    limit: number,
    between?: () => Promise<unknown>,
  ): Promise<{ readonly names: string[]; readonly pages: readonly Listing[] }>;
}

export function useStore(create: CreateStore): StoreSubject {
  const fixtures: StoreFixture[] = [];
  const clock = { now: 0 };
  let store: FileStore;

  beforeEach(async () => {
    clock.now = Date.UTC(2031, 1, 3);
    store = await make();
  });

  afterEach(async () => {
    for (const fixture of fixtures.splice(0)) {
      fixture.store.close();
      await fixture.dispose();
    }
  });

  async function make(limits: Partial<Limits> = {}, retention: Partial<Retention> = {}): Promise<FileStore> {
    const fixture = await create({
      limits: { ...defaultLimits, ...limits },
      retention: { ...defaultRetention, ...retention },
      now: () => clock.now,
    });
    fixtures.push(fixture);
    return fixture.store;
  }

  const query = (view: ListView = byPath, filter: ListFilter = {}): ListQuery => ({
    app: "notes",
    filter,
    view,
    limit: 1000,
  });
  const namesOf = ({ entries }: Listing) =>
    entries.map(({ entry }) => (entry.kind === "file" ? entry.file.path : entry.path));

  return {
    get store() {
      return store;
    },
    clock,
    make,
    async use(limits, retention) {
      store = await make(limits, retention);
    },
    put(path, content = "x", more = {}, on = store) {
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      const facts = describeContent(bytes);
      return on.write({
        app: "notes",
        path,
        bytes,
        facts,
        detectedMime: "text/plain",
        client: "test 1",
        ...more,
      });
    },
    remove: (path, app = "notes") => store.remove({ app, path, client: "test 1" }),
    query,
    list: (view, filter) => store.list(query(view, filter)),
    namesOf,
    textOf: async (path, version) =>
      Buffer.from(await readAll(await store.open("notes", path, version))).toString(),
    failure: (action) =>
      action.then(
        () => "no failure",
        (error: unknown) => (error instanceof AppFilesError ? { code: error.code, ...error.details } : error),
      ),
    async walk(view, filter, limit, between = async () => {}) {
      const pages: Listing[] = [];
      let after: ListQuery["after"];
      let generation: number | undefined;
      for (let more = true; more; ) {
        const page = await store.list({ ...query(view, filter), limit, after, generation });
        pages.push(page);
        generation ??= page.filesVersion;
        after = page.entries.at(-1)?.position;
        more = page.more;
        expect(page.entries.length).toBeLessThanOrEqual(limit);
        if (more) expect(page.entries.length).toBeGreaterThan(0);
        await between();
      }
      return { names: pages.flatMap(namesOf), pages };
    },
  };
}
