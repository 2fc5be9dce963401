import { createContentDescriber } from "../domain/content-describer.ts";
import { AppFilesError } from "../domain/errors.ts";
import { comparePaths, foldersOf, foldPath } from "../domain/file-path.ts";
import type { RemovalReceipt, WriteReceipt } from "../domain/file-record.ts";
import { type Limits, type Retention, receiptDays } from "../domain/limits.ts";
import { nearestNames } from "../domain/nearest.ts";
import { checkExpectedVersion, planWrite, type WriteState } from "../domain/plan-write.ts";
import type {
  Change,
  Command,
  FileStore,
  RemoveRequest,
  StagedRequest,
  Staging,
  StoredContent,
  WriteRequest,
} from "../domain/store.ts";
import { listInMemory } from "./memory-listing.ts";
import {
  currentFiles,
  type MemoryApp,
  type MemoryFile,
  type MemoryVersion,
  usageOf,
} from "./memory-state.ts";
import { createMemoryUploads } from "./memory-uploads.ts";

export interface MemoryStoreOptions {
  readonly limits: Limits;
  readonly retention: Retention;
  readonly now: () => number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** A store without a disk, for tests of what stands on the port. Keeps to the same contract. */
export function createMemoryStore({ limits, retention, now }: MemoryStoreOptions): FileStore {
  const apps = new Map<string, MemoryApp>();
  const receipts = new Map<string, { fingerprint: string; receipt: WriteReceipt; at: number }>();
  const listeners = new Set<(changes: readonly Change[]) => void>();

  const uploads = createMemoryUploads(limits, now, (added) => drop(versionsToDrop(added, undefined)));

  const currentOf = (file: MemoryFile | undefined) => (file?.state === "current" ? file.record : undefined);
  const fileOf = (app: string, path: string) => apps.get(app)?.files.get(path);
  const tell = (change: Change) => {
    for (const listener of listeners) queueMicrotask(() => listener([change]));
  };

  function findReceipt(command: Command): WriteReceipt | undefined {
    const known = receipts.get(command.id);
    if (known !== undefined && known.fingerprint !== command.fingerprint) {
      throw new AppFilesError("COMMAND_ID_REUSED", { commandId: command.id });
    }
    return known?.receipt;
  }

  function stateOf(app: MemoryApp | undefined, path: string): WriteState {
    const file = app?.files.get(path);
    const current = currentOf(file);
    const records = [...apps.values()].flatMap(currentFiles);
    return {
      current,
      lastVersion: file?.record.version ?? 0,
      collision: current === undefined && app !== undefined ? findCollision(app, path) : undefined,
      usage: usageOf(app),
      filesVersion: app?.filesVersion ?? 0,
      lastChangeAt: app?.updatedAt ?? 0,
      storeFiles: records.length,
    };
  }

  /** Gives up history, oldest first; on a copy, so that a refusal changes nothing. */
  function versionsToDrop(added: { sha256: string; size: number }, replaced: MemoryVersion | undefined) {
    const kept = [...apps.values()].flatMap((app) =>
      [...app.files.values()].flatMap((file) => file.versions),
    );
    const old = kept
      .filter((version) => version.replacedAt !== undefined || version === replaced)
      .sort((a, b) => (a.replacedAt ?? Number.MAX_SAFE_INTEGER) - (b.replacedAt ?? Number.MAX_SAFE_INTEGER));
    const dropped = new Set<MemoryVersion>();
    const physical = () => {
      const sizes = uploads.sizes().set(added.sha256, added.size);
      for (const version of kept) {
        if (!dropped.has(version) && version.content) {
          sizes.set(version.content.facts.sha256, version.content.facts.size);
        }
      }
      return [...sizes.values()].reduce((sum, size) => sum + size, 0);
    };
    for (const version of old) {
      if (physical() <= limits.store_bytes) break;
      dropped.add(version);
    }
    const wanted = physical();
    if (wanted > limits.store_bytes) {
      throw new AppFilesError("LIMIT_EXCEEDED", {
        limit: "store_bytes",
        allowed: limits.store_bytes,
        wanted,
      });
    }
    return dropped;
  }

  function drop(dropped: ReadonlySet<MemoryVersion>): void {
    for (const each of apps.values()) {
      for (const one of each.files.values())
        one.versions = one.versions.filter((version) => !dropped.has(version));
    }
  }

  /** The same as a write; the upload that the content came from ends with it. */
  function writeStaged(
    request: StagedRequest,
    bytes: Uint8Array,
    facts: WriteRequest["facts"],
  ): WriteReceipt {
    const earlier = request.command && findReceipt(request.command);
    if (earlier !== undefined) return earlier;
    const putBack = request.upload === undefined ? () => {} : uploads.take(request.upload);
    try {
      return write({ ...request, bytes, facts });
    } catch (error) {
      putBack();
      throw error;
    }
  }

  function stage(): Staging {
    const pieces: Uint8Array[] = [];
    const describer = createContentDescriber();
    let facts: WriteRequest["facts"] | undefined;
    return {
      async append(bytes) {
        describer.add(bytes);
        pieces.push(bytes.slice());
      },
      async seal() {
        facts = describer.finish();
        return facts;
      },
      read: async (offset, length) => Buffer.concat(pieces).subarray(offset, offset + length),
      async write(request) {
        if (facts === undefined) throw new Error("what is not sealed cannot be written");
        return writeStaged(request, Buffer.concat(pieces), facts);
      },
      discard: async () => {},
    };
  }

  function write(request: WriteRequest): WriteReceipt {
    const earlier = request.command && findReceipt(request.command);
    if (earlier !== undefined) return earlier;
    const { facts, bytes, path, command } = request;
    const state = stateOf(apps.get(request.app), path);
    const order = { ...request, size: facts.size, sha256: facts.sha256 };
    const { receipt, forgetThrough } = planWrite(order, state, { limits, retention }, now());
    const replaced = fileOf(request.app, path)?.versions.find(({ replacedAt }) => replacedAt === undefined);
    const dropped = versionsToDrop(facts, replaced);

    const app = apps.get(request.app) ?? { files: new Map(), filesVersion: 0, feedFloor: 0, updatedAt: 0 };
    apps.set(request.app, app);
    const { app: _app, filesVersion, ...record } = receipt;
    const file: MemoryFile = app.files.get(path) ?? {
      path,
      state: "current",
      record,
      filesVersion,
      versions: [],
    };
    app.files.set(path, file);
    app.filesVersion = filesVersion;
    app.updatedAt = receipt.updatedAt;
    if (replaced !== undefined) replaced.replacedAt = receipt.updatedAt;
    file.versions.push({ record, content: { facts, bytes: bytes.slice() }, replacedAt: undefined });
    file.versions = file.versions.filter((version) => version.record.version > forgetThrough);
    Object.assign(file, { state: "current", record, filesVersion });
    drop(dropped);
    if (command) receipts.set(command.id, { fingerprint: command.fingerprint, receipt, at: now() });
    tell({ app: request.app, path, kind: state.current === undefined ? "created" : "updated" });
    return receipt;
  }

  function remove({ app: name, path, expectedVersion }: RemoveRequest): RemovalReceipt {
    const file = fileOf(name, path);
    const app = apps.get(name);
    const current = currentOf(file);
    if (app === undefined || file === undefined || current === undefined) throw missing(name, path);
    checkExpectedVersion(path, expectedVersion, current);
    const deletedAt = Math.max(now(), app.updatedAt);
    app.filesVersion += 1;
    app.updatedAt = deletedAt;
    for (const version of file.versions) version.replacedAt ??= deletedAt;
    file.versions.push({ record: current, content: undefined, replacedAt: deletedAt });
    Object.assign(file, { state: "deleted", filesVersion: app.filesVersion });
    file.record = { ...current, updatedAt: deletedAt };
    tell({ app: name, path, kind: "deleted" });
    return { app: name, path, version: current.version, deletedAt, filesVersion: app.filesVersion };
  }

  function missing(app: string, path: string): AppFilesError {
    const paths = [...(apps.get(app)?.files.values() ?? [])].filter(({ state }) => state === "current");
    const file = fileOf(app, path);
    const kept = file?.versions.some(
      ({ content, record }) => content && record.version === file.record.version,
    );
    return new AppFilesError("NOT_FOUND", {
      app,
      path,
      nearest: nearestNames(
        path,
        paths.map((each) => each.path),
      ),
      deletedVersion: kept ? file?.record.version : undefined,
    });
  }

  function open(app: string, path: string, asked: number | undefined): StoredContent {
    const file = fileOf(app, path);
    const current = currentOf(file);
    if (file === undefined || (asked === undefined && current === undefined)) throw missing(app, path);
    const version = asked ?? file.record.version;
    if (version > file.record.version) {
      const details = { app, path, nearest: [], asked: { version, latest: file.record.version } };
      throw new AppFilesError("NOT_FOUND", details);
    }
    const kept = file.versions.filter(({ content }) => content !== undefined);
    const found = kept.find(({ record }) => record.version === version);
    if (found?.content === undefined) {
      const oldest = kept[0]?.record.version;
      throw new AppFilesError("VERSION_GONE", { path, version, oldest, current: current?.version });
    }
    const { facts, bytes } = found.content;
    return {
      record: found.record,
      facts,
      read: async (offset, length) => bytes.slice(offset, offset + length),
    };
  }

  function maintain(): void {
    const cutoff = now() - retention.days * dayMs;
    for (const app of apps.values()) {
      for (const file of app.files.values()) {
        file.versions = file.versions.filter(
          ({ replacedAt }) => replacedAt === undefined || replacedAt >= cutoff,
        );
        if (file.state === "deleted" && file.record.updatedAt < cutoff && file.versions.length === 0) {
          file.state = "forgotten";
          app.feedFloor = Math.max(app.feedFloor, file.filesVersion);
        }
      }
    }
    uploads.dropIdle();
    for (const [id, { at }] of receipts) if (at < now() - receiptDays * dayMs) receipts.delete(id);
  }

  return {
    list: async (query) =>
      apps.has(query.app)
        ? listInMemory(apps.get(query.app) as MemoryApp, query)
        : {
            entries: [],
            more: false,
            total: 0,
            usage: usageOf(undefined),
            filesVersion: 0,
            changedSince: 0,
            nearestApps: nearestNames(query.app, [...apps.keys()].sort()),
          },
    async listAll({ allows, after: [afterApp, afterPath] = ["", ""], limit }) {
      const files = [...apps]
        .filter(([app]) => allows(app))
        .sort(([a], [b]) => comparePaths(a, b))
        .flatMap(([app, each]) => currentFiles(each).map((file) => ({ app, file })))
        .filter(
          ({ app, file }) => app > afterApp || (app === afterApp && comparePaths(file.path, afterPath) > 0),
        );
      return { files: files.slice(0, limit), more: files.length > limit };
    },
    find: async (app, path) => currentOf(fileOf(app, path)),
    open: async (app, path, version) => open(app, path, version),
    receipt: async (command) => findReceipt(command),
    write: async (request) => write(request),
    stage: async () => stage(),
    uploads,
    remove: async (request) => remove(request),
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    maintain: async () => maintain(),
    close() {},
  };
}

function findCollision(app: MemoryApp, path: string): WriteState["collision"] {
  const folded = foldPath(path);
  const above = new Set(foldersOf(folded));
  const others = currentFiles(app).map((file) => ({ path: file.path, folded: foldPath(file.path) }));
  const same = others.find((other) => other.folded === folded);
  if (same) return { path: same.path, kind: "case" };
  const outer = others.find((other) => above.has(other.folded));
  if (outer) return { path: outer.path, kind: "inside-file" };
  const inner = others.find((other) => other.folded.startsWith(`${folded}/`));
  return inner && { path: inner.path, kind: "is-folder" };
}
