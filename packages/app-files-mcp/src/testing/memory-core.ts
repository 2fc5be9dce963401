import type { ContentFacts } from "../domain/content.ts";
import { AppFilesError } from "../domain/errors.ts";
import type { RehearsedRequest } from "../domain/file-changes.ts";
import { comparePaths, foldersOf, foldPath } from "../domain/file-path.ts";
import type { Action, FileRecord, WriteReceipt } from "../domain/file-record.ts";
import type { Limits, Retention } from "../domain/limits.ts";
import { nearestNames, nearestShown } from "../domain/nearest.ts";
import { planWrite, type WriteState } from "../domain/plan-write.ts";
import type { Change, Command } from "../domain/store.ts";
import { type Added, type DroppedVersions, versionsToDrop } from "./memory-room.ts";
import {
  copyApps,
  currentFiles,
  type MemoryApp,
  type MemoryFile,
  type MemoryVersion,
  usageOf,
} from "./memory-state.ts";
import { createMemoryUploads, type MemoryUploads } from "./memory-uploads.ts";

export interface MemoryStoreOptions {
  readonly limits: Limits;
  readonly retention: Retention;
  readonly now: () => number;
}

/** A version to be added. */
export interface NewMemoryVersion {
  readonly app: string;
  readonly path: string;
  readonly content: { readonly facts: ContentFacts; readonly bytes: Uint8Array };
  readonly mime?: string | undefined;
  readonly detectedMime: string;
  readonly expectedVersion?: number | undefined;
  readonly action: Action;
  readonly client: string;
}

/** The state of a store in memory, and the steps that its changes are made of. */
export class MemoryCore {
  readonly options: MemoryStoreOptions;
  readonly receipts = new Map<string, { fingerprint: string; receipt: object; at: number }>();
  readonly listeners = new Set<(changes: readonly Change[]) => void>();
  readonly uploads: MemoryUploads;
  apps = new Map<string, MemoryApp>();
  #untold: Change[] = [];

  constructor(options: MemoryStoreOptions) {
    this.options = options;
    this.uploads = createMemoryUploads(options.limits, options.now, (added) =>
      this.#drop(this.#roomFor(added, undefined)),
    );
  }

  fileOf(app: string, path: string): MemoryFile | undefined {
    return this.apps.get(app)?.files.get(path);
  }

  currentOf(app: string, path: string): FileRecord | undefined {
    const file = this.fileOf(app, path);
    return file?.state === "current" ? file.record : undefined;
  }

  findReceipt<Receipt extends object>(command: Command): Receipt | undefined {
    const known = this.receipts.get(command.id);
    if (known !== undefined && known.fingerprint !== command.fingerprint) {
      throw new AppFilesError("COMMAND_ID_REUSED", { commandId: command.id });
    }
    return known?.receipt as Receipt | undefined;
  }

  /** Does all of `work` or nothing, and once for each command. */
  once<Receipt extends object>(
    { command, dryRun = false }: Pick<RehearsedRequest, "command" | "dryRun">,
    work: () => Receipt,
  ): Receipt {
    const earlier = !dryRun && command ? this.findReceipt<Receipt>(command) : undefined;
    if (earlier !== undefined) return earlier;
    const before = copyApps(this.apps);
    let isDone = false;
    try {
      const receipt = work();
      isDone = !dryRun;
      if (command && isDone) {
        const at = this.options.now();
        this.receipts.set(command.id, { fingerprint: command.fingerprint, receipt, at });
      }
      return receipt;
    } finally {
      const changes = this.#untold;
      this.#untold = [];
      if (!isDone) this.apps = before;
      else for (const listener of this.listeners) queueMicrotask(() => listener(changes));
    }
  }

  addVersion(version: NewMemoryVersion): WriteReceipt {
    const { path, content, action, client } = version;
    const { facts, bytes } = content;
    const state = this.#stateOf(this.apps.get(version.app), path);
    const order = { ...version, size: facts.size, sha256: facts.sha256 };
    const { receipt, forgetThrough } = planWrite(order, state, this.options, this.options.now());
    const known = this.fileOf(version.app, path);
    const replaced = known?.versions.find(({ replacedAt }) => replacedAt === undefined);
    const dropped = this.#roomFor(facts, replaced);

    const fresh: MemoryApp = { files: new Map(), filesVersion: 0, feedFloor: 0, updatedAt: 0 };
    const app = this.apps.get(version.app) ?? fresh;
    this.apps.set(version.app, app);
    const { app: _app, filesVersion, ...record } = receipt;
    const file = known ?? { path, state: "current", record, filesVersion, versions: [] };
    app.files.set(path, file);
    app.filesVersion = filesVersion;
    app.updatedAt = receipt.updatedAt;
    if (replaced !== undefined) replaced.replacedAt = receipt.updatedAt;
    const kept = { facts, bytes: bytes.slice() };
    file.versions.push({ record, content: kept, action, client, filesVersion, replacedAt: undefined });
    file.versions = file.versions.filter(({ record: { version: number } }) => number > forgetThrough);
    Object.assign(file, { state: "current", record, filesVersion });
    this.#drop(dropped);
    this.#untold.push({ app: version.app, path, kind: state.current === undefined ? "created" : "updated" });
    return receipt;
  }

  /** Deletes a file that is there. */
  removeFile(name: string, path: string, action: Action, client: string) {
    const app = this.apps.get(name);
    const file = this.fileOf(name, path);
    if (app === undefined || file === undefined) throw new Error("only a current file can be deleted");
    const deletedAt = Math.max(this.options.now(), app.updatedAt);
    const { record } = file;
    app.filesVersion += 1;
    app.updatedAt = deletedAt;
    const { filesVersion } = app;
    for (const version of file.versions) version.replacedAt ??= deletedAt;
    const deletion = { ...record, size: 0, updatedAt: deletedAt };
    file.versions.push({
      record: deletion,
      content: undefined,
      action,
      client,
      filesVersion,
      replacedAt: deletedAt,
    });
    Object.assign(file, { state: "deleted", filesVersion, record: { ...record, updatedAt: deletedAt } });
    this.#untold.push({ app: name, path, kind: "deleted" });
    return { deletedAt, filesVersion };
  }

  /** The kept version of a file, of exactly that number where one is given. */
  versionOf(
    app: string,
    path: string,
    asked?: number,
  ): MemoryVersion & { content: NonNullable<MemoryVersion["content"]> } {
    const file = this.fileOf(app, path);
    const current = this.currentOf(app, path);
    if (file === undefined || (asked === undefined && current === undefined)) throw this.missing(app, path);
    const version = asked ?? file.record.version;
    if (version > file.record.version) {
      const details = { app, path, nearest: [], asked: { version, latest: file.record.version } };
      throw new AppFilesError("NOT_FOUND", details);
    }
    const kept = file.versions.flatMap((each) => (each.content ? [{ ...each, content: each.content }] : []));
    const found = kept.find(({ record }) => record.version === version);
    if (found !== undefined) return found;
    const oldest = kept[0]?.record.version;
    throw new AppFilesError("VERSION_GONE", { path, version, oldest, current: current?.version });
  }

  missing(app: string, path: string): AppFilesError {
    const files = this.apps.get(app)?.files.values() ?? [];
    const paths = [...files].filter(({ state }) => state === "current").map((each) => each.path);
    const file = this.fileOf(app, path);
    const isKept = file?.versions.some(
      ({ content, record }) => content && record.version === file.record.version,
    );
    const deletedVersion = isKept ? file?.record.version : undefined;
    const inside = paths.filter((each) => each.startsWith(`${path}/`)).sort(comparePaths);
    const nearest = inside.length > 0 ? inside.slice(0, nearestShown) : nearestNames(path, paths);
    return new AppFilesError("NOT_FOUND", { app, path, nearest, deletedVersion });
  }

  #stateOf(app: MemoryApp | undefined, path: string): WriteState {
    const file = app?.files.get(path);
    const current = file?.state === "current" ? file.record : undefined;
    return {
      current,
      lastVersion: file?.record.version ?? 0,
      collision: current === undefined && app !== undefined ? findCollision(app, path) : undefined,
      usage: usageOf(app),
      filesVersion: app?.filesVersion ?? 0,
      lastChangeAt: app?.updatedAt ?? 0,
      storeFiles: [...this.apps.values()].flatMap(currentFiles).length,
    };
  }

  #roomFor(added: Added, replaced: MemoryVersion | undefined): DroppedVersions {
    return versionsToDrop(this.apps, this.uploads.sizes(), added, replaced, this.options.limits.store_bytes);
  }

  #drop(dropped: DroppedVersions): void {
    for (const app of this.apps.values()) {
      for (const file of app.files.values()) {
        file.versions = file.versions.filter((version) => !dropped.has(version));
      }
    }
  }
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
