import { join } from "node:path";
import { type Database, migrate, openDatabase, type Reader, type Writer } from "@mcp-file-servers/sqlite";
import type { ContentFacts } from "../../domain/content.ts";
import { AppFilesError } from "../../domain/errors.ts";
import type { WriteReceipt } from "../../domain/file-record.ts";
import type { Limits, Retention } from "../../domain/limits.ts";
import { planWrite } from "../../domain/plan-write.ts";
import type { CallOptions, FileStore, StagedRequest, StoredContent } from "../../domain/store.ts";
import { createBlobFolder, type StagedBlob } from "../blob-folder.ts";
import { applyWrite, inlineBytes, storeContent } from "./apply-write.ts";
import { createFileChanges } from "./change-files.ts";
import { type ChangeWatch, watchChanges } from "./change-watch.ts";
import { checkStore } from "./check-store.ts";
import { translateError } from "./errors.ts";
import { GenerationCache } from "./generation-cache.ts";
import { makeRoom } from "./history.ts";
import { createLinkStore } from "./links.ts";
import { listAllFiles } from "./list-all.ts";
import { listApps } from "./list-apps.ts";
import { listFiles } from "./list-files.ts";
import { collect, emptyTrash, maintainStore } from "./maintain.ts";
import { type FoundContent, findContent } from "./open-content.ts";
import { readHistory } from "./read-history.ts";
import { readApp, readFile, readWriteState } from "./read-state.ts";
import { readTotals } from "./read-totals.ts";
import { findReceipt } from "./receipts.ts";
import { toRecord } from "./rows.ts";
import { schemaSteps } from "./schema.ts";
import { stageContent } from "./stage-content.ts";
import { createUploadStore } from "./upload-store.ts";
import { dropUpload, findUpload } from "./uploads.ts";

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
        return await write((writer) => carryOut(writer, request, facts, bytes), callOptions);
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
          return await write((writer) => carryOut(writer, request, facts, source), callOptions);
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

    ...createFileChanges(write, { blobs, limits, retention, now }),

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

  function carryOut(
    writer: Writer,
    request: StagedRequest,
    facts: ContentFacts,
    source: Uint8Array | StagedBlob,
  ): WriteReceipt {
    const { command, client, upload } = request;
    const earlier = command && findReceipt<WriteReceipt>(writer, command);
    if (earlier !== undefined) return earlier;
    if (upload !== undefined && findUpload(writer, upload, now()) === undefined) {
      throw new AppFilesError("UPLOAD_NOT_FOUND", { uploadId: upload });
    }
    const found = readWriteState(writer, request.app, request.path);
    const plan = planWrite(
      { ...request, size: facts.size, sha256: facts.sha256 },
      found.state,
      { limits, retention },
      now(),
    );
    const addedBytes = storeContent(writer, blobs, facts, source);
    applyWrite(writer, plan, found, { action: "write", client }, addedBytes);
    // Before room is made: its chunks are now the file's content.
    if (upload !== undefined) dropUpload(writer, upload);
    if (found.physicalBytes + addedBytes > limits.store_bytes) makeRoom(writer, limits.store_bytes);
    const receipt = { ...plan.receipt, ...(request.edit && { edit: request.edit }) };
    if (command !== undefined) {
      writer.run("INSERT INTO receipt (command_id, fingerprint, receipt, at) VALUES (?, ?, ?, ?)", [
        command.id,
        command.fingerprint,
        JSON.stringify(receipt),
        now(),
      ]);
    }
    return receipt;
  }
}
