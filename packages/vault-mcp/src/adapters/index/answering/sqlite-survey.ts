import { VaultError } from "../../../domain/errors.ts";
import type { ListWalk } from "../../../domain/listing/listing.ts";
import { isInScope } from "../../../domain/restrict/folder-scope.ts";
import { countFolders, type FolderCounts } from "../../../domain/survey/count-folders.ts";
import {
  joinProperties,
  joinValues,
  type PropertyCount,
  type PropertyPart,
  type ValueCount,
  type ValuePart,
} from "../../../domain/survey/count-properties.ts";
import { countTags, type TagCount } from "../../../domain/survey/count-tags.ts";
import type { BrokenNote, Counted, VaultCounts, VaultSurvey } from "../../../domain/survey/vault-survey.ts";
import { rowOf } from "../schema.ts";
import { countBundle } from "./count-bundle.ts";
import { visibleDocuments, visibleSet } from "./document-list.ts";
import type { IndexConnection, IndexSnapshot } from "./index-snapshot.ts";
import { KeptLists } from "./kept-lists.ts";

/** Documents whose rows are counted in one go. */
const batchSize = 5_000;

const mostKept = 16;

/** Counts over SQLite; each list is kept for as long as nothing changes, and for its later pages. */
export class SqliteSurvey implements VaultSurvey {
  readonly #connection: IndexConnection;
  readonly #now: () => Date;
  readonly #kept = new KeptLists<readonly unknown[]>(mostKept);

  constructor(connection: IndexConnection, now: () => Date) {
    this.#connection = connection;
    this.#now = now;
  }

  folders(walk: ListWalk | undefined, signal: AbortSignal): Promise<Counted<FolderCounts>> {
    return this.#counted("folders", walk, signal, () => this.#connection.read(foldersOf));
  }

  tags(walk: ListWalk | undefined, signal: AbortSignal): Promise<Counted<TagCount>> {
    return this.#counted("tags", walk, signal, async () =>
      countTags(await this.#inBatches(signal, tagsOfNotes)),
    );
  }

  properties(walk: ListWalk | undefined, signal: AbortSignal): Promise<Counted<PropertyCount>> {
    return this.#counted("properties", walk, signal, async () =>
      joinProperties(await this.#inBatches(signal, propertyParts)),
    );
  }

  values(key: string, walk: ListWalk | undefined, signal: AbortSignal): Promise<Counted<ValueCount>> {
    const name = key.normalize("NFC");
    return this.#counted(`values ${name}`, walk, signal, async () =>
      joinValues(await this.#inBatches(signal, (snapshot, batch) => valueParts(snapshot, batch, name))),
    );
  }

  async counts(signal: AbortSignal): Promise<VaultCounts> {
    const { items } = await this.folders(undefined, signal);
    return this.#connection.read((snapshot) => {
      const visible = visibleSet(snapshot);
      const rows = snapshot.reader.get<{ sizes: string }>(
        "SELECT json_group_array(json_array(id, size)) AS sizes FROM document",
      );
      const sizes: [id: number, size: number][] = JSON.parse(rows?.sizes ?? "[]");
      const links = snapshot.reader.get<{ counts: string }>(
        `SELECT json_group_array(json_array(document, links)) AS counts FROM
           (SELECT id >> 16 AS document, count(*) AS links FROM link WHERE path <> '' GROUP BY id >> 16)`,
      );
      const linksOf: [id: number, links: number][] = JSON.parse(links?.counts ?? "[]");
      const sum = (pairs: readonly [number, number][]) =>
        pairs.reduce((total, [id, value]) => (visible[id] === 1 ? total + value : total), 0);
      const [root] = items;
      return {
        notes: root?.totalNotes ?? 0,
        attachments: root?.totalAttachments ?? 0,
        folders: items.length - 1,
        bytes: sum(sizes),
        links: sum(linksOf),
        bundle: snapshot.isBundle ? countBundle(snapshot, this.#now()) : undefined,
      };
    });
  }

  async brokenNotes(
    after: string | undefined,
    limit: number,
  ): Promise<{ notes: BrokenNote[]; total: number }> {
    return this.#connection.read((snapshot) => {
      const visible = visibleSet(snapshot);
      const rows = snapshot.reader
        .all<{ id: number; path: string }>(
          "SELECT id, path FROM document WHERE kind = 0 AND filterable = 0 ORDER BY path",
        )
        .filter(({ id }) => visible[id] === 1);
      const start = after === undefined ? 0 : rows.findLastIndex(({ path }) => path === after) + 1;
      const documents = snapshot.documents(rows.slice(start, start + limit).map(({ id }) => id));
      const notes = documents.flatMap((document) =>
        document.kind === "note" && document.parseError !== undefined
          ? [{ path: document.path, ...document.parseError }]
          : [],
      );
      return { notes, total: rows.length };
    });
  }

  /** The list of a walk's first page, or a new one. */
  async #counted<Item>(
    name: string,
    walk: ListWalk | undefined,
    signal: AbortSignal,
    count: () => Promise<readonly Item[]>,
  ): Promise<Counted<Item>> {
    const current = await this.#connection.read(({ epoch, generation }) => ({ epoch, generation }));
    const at = walk ?? current;
    const key = JSON.stringify([name, at.epoch, at.generation]);
    const changedSince = at.epoch !== current.epoch || at.generation !== current.generation;
    const kept = this.#kept.get(key) as readonly Item[] | undefined;
    if (kept !== undefined) return { items: kept, walk: at, changedSince };
    if (changedSince) {
      throw new VaultError("INVALID_CURSOR", {
        reason: "the vault changed since the first page, and its counts are not kept any more",
      });
    }
    const items = await count();
    signal.throwIfAborted();
    this.#kept.keep(key, items);
    return { items, walk: at, changedSince: false };
  }

  /** Goes through all documents that may be seen, some at a time, so that others get their turn. */
  async #inBatches<Part>(
    signal: AbortSignal,
    read: (snapshot: IndexSnapshot, batch: Batch) => Part[],
  ): Promise<Part[]> {
    const parts: Part[] = [];
    const last = await this.#connection.read(
      ({ reader }) => reader.get<{ id: number | null }>("SELECT max(id) AS id FROM document")?.id ?? 0,
    );
    for (let from = 0; from <= last; from += batchSize) {
      const found = await this.#connection.read((snapshot) => {
        const visible = visibleSet(snapshot).subarray(from, from + batchSize);
        const ids = Array.from(visible.keys())
          .filter((index) => visible[index] === 1)
          .map((index) => from + index);
        return read(snapshot, {
          from: rowOf(from, 0),
          to: rowOf(from + batchSize, 0),
          ids: JSON.stringify(ids),
        });
      });
      for (const part of found) parts.push(part);
      signal.throwIfAborted();
    }
    return parts;
  }
}

/** Documents whose rows have ids from `from` to before `to`; `ids` as JSON. */
interface Batch {
  readonly from: number;
  readonly to: number;
  readonly ids: string;
}

const inBatch = "id >= ? AND id < ? AND id >> 16 IN (SELECT value FROM json_each(?))";

function foldersOf(snapshot: IndexSnapshot): FolderCounts[] {
  const { paths, attachments } = visibleDocuments(snapshot);
  const files = paths.map((path, index) => ({
    path,
    kind: attachments[index] === 1 ? ("attachment" as const) : ("note" as const),
  }));
  const folders = snapshot.reader.all<{ path: string }>("SELECT path FROM folder").map(({ path }) => path);
  const { within } = snapshot;
  const own = within === undefined ? folders : folders.filter((path) => isInScope(path, within));
  return countFolders(files, own);
}

function tagsOfNotes({ reader }: IndexSnapshot, { from, to, ids }: Batch): string[][] {
  const rows = reader.all<{ tags: string }>(
    `SELECT json_group_array(tag) AS tags FROM tag WHERE ${inBatch} GROUP BY id >> 16`,
    [from, to, ids],
  );
  return rows.map(({ tags }) => JSON.parse(tags));
}

function propertyParts({ reader }: IndexSnapshot, { from, to, ids }: Batch): PropertyPart[] {
  return reader.all<PropertyPart>(
    `SELECT key, type, count(*) AS notes FROM property WHERE place = 0 AND ${inBatch} GROUP BY key, type`,
    [from, to, ids],
  );
}

function valueParts({ reader }: IndexSnapshot, { from, to, ids }: Batch, key: string): ValuePart[] {
  return reader.all<ValuePart>(
    `SELECT text, coalesce(min(shown), text) AS value, count(*) AS notes FROM property
     WHERE key = ? AND text IS NOT NULL AND ${inBatch} GROUP BY text`,
    [key, from, to, ids],
  );
}
