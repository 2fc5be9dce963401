import { join } from "node:path";
import { type Database, migrate, openDatabase, type Reader, type Writer } from "@mcp-file-servers/sqlite";
import { AppFilesError } from "../../domain/errors.ts";
import type { WriteReceipt } from "../../domain/file-record.ts";
import type { Limits, Retention } from "../../domain/limits.ts";
import type { CallOptions, FileStore, StoredContent } from "../../domain/store.ts";
import { createBlobFolder } from "../blob-folder.ts";
import { inlineBytes } from "./apply-write.ts";
import { createFileChanges } from "./change-files.ts";
import { type ChangeWatch, watchChanges } from "./change-watch.ts";
import { checkStore } from "./check-store.ts";
import { translateError } from "./errors.ts";
import { GenerationCache } from "./generation-cache.ts";
import { createLinkStore } from "./links.ts";
import { listAllFiles } from "./list-all.ts";
import { listApps } from "./list-apps.ts";
import { listFiles } from "./list-files.ts";
import { collect, emptyTrash, maintainStore } from "./maintain.ts";
import { type FoundContent, findContent } from "./open-content.ts";
import { readHistory } from "./read-history.ts";
import { readApp, readFile } from "./read-state.ts";
import { readTotals } from "./read-totals.ts";
import { findReceipt } from "./receipts.ts";
import { toRecord } from "./rows.ts";
import { schemaSteps } from "./schema.ts";
import { stageContent } from "./stage-content.ts";
import { createUploadStore } from "./upload-store.ts";
import { writeContent } from "./write-content.ts";

export interface SqliteStoreOptions {
  /** Where everything lies; made when it is missing. */
  readonly folder: string;
  readonly limits: Limits;
  readonly retention: Retention;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A name that no other writer uses. */
  readonly nextName: () => string;
  /** Told of what fails where nobody waits for it. */
  readonly onError: (error: unknown) => void;
  readonly readOnly?: boolean;
}

/** The database's name in the store's folder. */
export const databaseName = "store.db";

/** Characters of match sets, path lists and totals that are kept: some lists of 100,000 paths. */
const cacheWeight = 20_000_000;

/** Of the 256 blob folders, how many one pass looks through. */
const shardsInPass = 8;

/** Files in SQLite and, the larger ones, beside it. Opens on the first call. */
export function createSqliteStore(options: SqliteStoreOptions): FileStore {
  const { folder, limits, retention, now, readOnly = false } = options;
  const blobs = createBlobFolder(folder, options.nextName);
  const rules = { blobs, limits, retention, now };
  const cache = new GenerationCache(cacheWeight);
  const watches = new Set<ChangeWatch>();
  let opening: Promise<Database> | undefined;
  let nextShard = 0;
  let closed = false;

  async function open(): Promise<Database> {
    if (!readOnly) await blobs.prepare();
    const database = await openDatabase(join(folder, databaseName), { synchronous: "FULL", readOnly });
    try {
      if (!readOnly) await migrate(database, schemaSteps);
    } catch (error) {
      database.close();
      throw error;
    }
    if (closed) database.close();
    return database;
  }

  /** A start that failed may succeed the next time: room was made, the lock is free. */
  async function opened<Result>(action: (database: Database) => Promise<Result>): Promise<Result> {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    try {
      return await action(await opening);
    } catch (error) {
      throw translateError(error);
    }
  }

  const read = <Result>(work: (reader: Reader) => Result, { signal }: CallOptions = {}) =>
    opened((database) => database.read(work, { signal }));

  async function write<Result>(
    work: (writer: Writer) => Result,
    { signal }: CallOptions = {},
  ): Promise<Result> {
    const result = await opened((database) => database.write(work, { signal }));
    for (const watch of watches) watch.look();
    return result;
  }

  const putBlob = (sha256: string, bytes: Uint8Array) => opened(() => blobs.put(sha256, bytes));

  const collectBlob = (sha256: string) =>
    opened((database) => collect(database, blobs, [sha256], {})).then(() => {}, options.onError);

  const throwAway = () =>
    opened((database) => database.write((writer) => emptyTrash(writer, blobs))).then(
      () => {},
      options.onError,
    );

  function contentOf(found: FoundContent, again: () => Promise<FoundContent>): StoredContent {
    const { record, facts, data } = found;
    return {
      record,
      facts,
      async read(offset, length, into) {
        if (data !== undefined) return data.subarray(offset, offset + length);
        const bytes = await blobs.read(facts.sha256, offset, length, into).catch((error: unknown) => {
          throw translateError(error);
        });
        if (bytes !== undefined) return bytes;
        // Gone since it was looked up, which the look-up says by itself, or lost.
        await again();
        throw new AppFilesError("CORRUPT", { path: record.path, version: record.version });
      },
    };
  }

  return {
    list: (query, callOptions) => read((reader) => listFiles(reader, cache, query), callOptions),

    listAll: (page, callOptions) => read((reader) => listAllFiles(reader, page), callOptions),

    listApps: (query, callOptions) => read((reader) => listApps(reader, query), callOptions),

    history: (query, callOptions) => read((reader) => readHistory(reader, query), callOptions),

    find: (app, path, callOptions) =>
      read((reader) => {
        const file = readFile(reader, readApp(reader, app), path);
        return file?.state === 0 ? toRecord(file) : undefined;
      }, callOptions),

    async open(app, path, version, callOptions) {
      const look = () => read((reader) => findContent(reader, app, path, version), callOptions);
      return contentOf(await look(), look);
    },

    receipt: (command, callOptions) =>
      read((reader) => findReceipt<WriteReceipt>(reader, command), callOptions),

    async write(request, callOptions = {}) {
      const { facts, bytes } = request;
      const isLarge = facts.size > inlineBytes;
      if (isLarge) await putBlob(facts.sha256, bytes);
      try {
        return await write((writer) => writeContent(writer, rules, request, facts, bytes), callOptions);
      } catch (error) {
        // Refused: nothing may be left behind. What cannot be removed now is collected later.
        if (isLarge) await collectBlob(facts.sha256);
        throw error;
      }
    },

    async stage() {
      const blob = await opened(() => blobs.stage());
      return stageContent(blob, async (request, facts, source, callOptions) => {
        try {
          return await write((writer) => writeContent(writer, rules, request, facts, source), callOptions);
        } catch (error) {
          if (facts.size > inlineBytes) await collectBlob(facts.sha256);
          throw error;
        } finally {
          if (request.upload !== undefined) await throwAway();
        }
      });
    },

    uploads: createUploadStore({
      blobs,
      limits,
      now,
      nextName: options.nextName,
      read,
      write,
      putBlob,
      collectBlob,
      emptyTrash: throwAway,
    }),

    links: createLinkStore({ now, read, write }),

    ...createFileChanges(write, rules),

    watch(listener) {
      let watch: ChangeWatch | undefined;
      let stopped = false;
      opened(async (database) => {
        if (stopped) return;
        watch = watchChanges(database, listener, options.onError);
        watches.add(watch);
      }).catch(options.onError);
      return () => {
        stopped = true;
        watch?.stop();
        if (watch !== undefined) watches.delete(watch);
      };
    },

    async maintain(callOptions = {}) {
      if (readOnly) return;
      const shards = Array.from({ length: shardsInPass }, (_, index) => (nextShard + index) % 256);
      nextShard = (nextShard + shardsInPass) % 256;
      await opened((database) =>
        maintainStore(database, blobs, { retention, now: now(), shards }, callOptions),
      );
    },

    check: (checkOptions = {}) =>
      opened((database) => checkStore(database, blobs, { ...checkOptions, readOnly })),

    totals: (callOptions) => read(readTotals, callOptions),

    close() {
      closed = true;
      for (const watch of watches) watch.stop();
      watches.clear();
      opening?.then((database) => database.close()).catch(() => {});
    },
  };
}
