import type {
  DocumentIndex,
  IndexChange,
  IndexHealth,
  IndexProgress,
  ProgressReport,
} from "../../domain/document-index.ts";
import { VaultError } from "../../domain/errors.ts";
import type { ListPage, ListRequest } from "../../domain/listing/listing.ts";
import type { FolderScope } from "../../domain/restrict/folder-scope.ts";
import type { IndexConnection } from "./answering/index-snapshot.ts";
import { listDocuments } from "./answering/list-documents.ts";
import { nearestPaths } from "./answering/nearest-paths.ts";
import type { IndexDatabase } from "./index-database.ts";
import type { FromKeeper, KeeperEvents, KeeperLink, KeeperState } from "./keeper-messages.ts";
import { Waiting, within } from "./waiting.ts";

export interface SqliteIndexParts {
  readonly database: IndexDatabase;
  /** Begins to keep the index in step with the disk. */
  start(events: KeeperEvents): KeeperLink;
  warn(message: string, error: unknown): void;
}

const reportEveryMs = 500;

/** How long the keeper may take to end before its thread is left to the end of the process, milliseconds. */
const endsWithinMs = 400;

const initial: KeeperState = {
  complete: false,
  caughtUp: false,
  indexed: 0,
  found: 0,
  pending: 0,
  watcher: "none",
  failure: undefined,
};

/** The index on the disk: answers come from it, while a keeper elsewhere brings it in step with the disk. */
export class SqliteIndex implements DocumentIndex {
  readonly #parts: SqliteIndexParts;
  readonly #listeners = new Set<(change: IndexChange) => void>();
  readonly #looks = new Map<number, () => void>();
  readonly #changed = new Waiting();
  #keeper: KeeperLink | undefined;
  #state = initial;
  #opened: Promise<void> | undefined;
  #nextLook = 1;
  #startedAt = 0;
  #closed = false;

  constructor(parts: SqliteIndexParts) {
    this.#parts = parts;
  }

  async ready(maxMs: number, signal: AbortSignal, report?: ProgressReport): Promise<IndexProgress> {
    this.#start();
    const hasFailed = this.#state.failure !== undefined;
    // Counted from the first use: only those who come first wait for a vault that takes long.
    const waitMs = hasFailed ? maxMs : Math.max(0, this.#startedAt + maxMs - performance.now());
    const looked = hasFailed ? this.#look([""]) : this.#usable();
    await this.#reporting(report, within(waitMs, looked, signal));
    return this.#progress();
  }

  async settle(maxMs: number, signal: AbortSignal, report?: ProgressReport): Promise<boolean> {
    this.#start();
    const looked = this.#usable().then(() => this.#look([""]));
    const settled = await this.#reporting(report, within(maxMs, looked, signal));
    this.#progress();
    return settled;
  }

  async refresh(paths: readonly string[], maxMs: number, signal: AbortSignal): Promise<boolean> {
    this.#start();
    return within(maxMs, this.#look(paths), signal);
  }

  async list(request: ListRequest): Promise<ListPage> {
    await this.#open();
    return this.#parts.database.read((view) => listDocuments(view, request));
  }

  async nearestPaths(path: string, most: number, within?: FolderScope): Promise<readonly string[]> {
    await this.#open();
    return this.#parts.database.read((view) => nearestPaths(view, path, most, within));
  }

  health(): IndexHealth {
    const { pending, watcher } = this.#state;
    return { pending, watcher };
  }

  subscribe(listener: (change: IndexChange) => void): () => void {
    this.#listeners.add(listener);
    this.#start();
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#changed.wake();
    const keeper = this.#keeper;
    keeper?.send({ kind: "close" });
    if (keeper !== undefined) await within(endsWithinMs, keeper.end(), new AbortController().signal);
    this.#parts.database.close();
  }

  /** For other questions; they wait until there is an index. */
  get connection(): IndexConnection {
    return {
      read: async (work) => {
        await this.#open();
        return this.#parts.database.read(work);
      },
    };
  }

  /** What was read from the index shows that it is damaged. */
  reportDamage(error: unknown): void {
    this.#keeper?.send({ kind: "damaged", detail: String(error) });
  }

  #start(): void {
    if (this.#keeper !== undefined || this.#closed) return;
    this.#startedAt = performance.now();
    this.#keeper = this.#parts.start({
      message: (message) => this.#receive(message),
      lost: (error) => this.#lose(error),
    });
  }

  /** Resolves when there is an index to answer from. */
  async #open(): Promise<void> {
    this.#start();
    while (this.#opened === undefined && !this.#closed) await this.#changed.next();
    await this.#opened;
  }

  /** Resolves when the index holds the whole vault as it once was, or cannot come to that. */
  async #usable(): Promise<void> {
    while (!this.#state.complete && this.#state.failure === undefined && !this.#closed)
      await this.#changed.next();
    if (this.#state.failure === undefined) await this.#open();
  }

  #look(paths: readonly string[]): Promise<void> {
    return new Promise((resolve) => {
      const id = this.#nextLook;
      this.#nextLook += 1;
      this.#looks.set(id, resolve);
      this.#keeper?.send({ kind: "look", id, paths });
    });
  }

  #receive(message: FromKeeper): void {
    switch (message.kind) {
      case "opened":
        this.#opened = this.#parts.database.open(message.file);
        this.#opened.catch((error) => this.#parts.warn("the index cannot be opened", error));
        break;
      case "state":
        this.#state = message.state;
        break;
      case "changed":
        for (const listener of this.#listeners) listener(message);
        return;
      case "looked":
        this.#looks.get(message.id)?.();
        this.#looks.delete(message.id);
        return;
      case "warning":
        this.#parts.warn(message.message, message.detail);
        return;
      case "closed":
        return;
    }
    this.#changed.wake();
  }

  /** The keeper has died: the next use starts another. */
  #lose(error: unknown): void {
    if (this.#closed) return;
    this.#parts.warn("what keeps the index in step with the disk has ended", error);
    this.#keeper = undefined;
    this.#state = { ...this.#state, caughtUp: false, watcher: "none", pending: 0 };
    for (const finish of this.#looks.values()) finish();
    this.#looks.clear();
    this.#changed.wake();
  }

  /** @throws VaultError where the vault cannot be read. */
  #progress(): IndexProgress {
    const { complete, caughtUp, indexed, found, pending, failure } = this.#state;
    if (failure !== undefined) throw new VaultError("VAULT_UNREADABLE", failure);
    return { state: complete ? "ready" : "building", indexed, found, stale: !caughtUp || pending > 0 };
  }

  async #reporting<Result>(report: ProgressReport | undefined, waiting: Promise<Result>): Promise<Result> {
    if (report === undefined) return waiting;
    const timer = setInterval(() => report(this.#state.indexed, this.#state.found), reportEveryMs);
    return waiting.finally(() => clearInterval(timer));
  }
}
