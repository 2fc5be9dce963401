import { setTimeout as sleep } from "node:timers/promises";
import type { DocumentIndex, IndexChange, IndexProgress, ProgressReport } from "../domain/document-index.ts";
import type { VaultError } from "../domain/errors.ts";
import type { ListPage, ListRequest } from "../domain/listing.ts";
import { nearest } from "../domain/nearest.ts";
import { nameOf } from "../domain/note.ts";
import type { DiskMirror } from "./disk-mirror.ts";
import type { DocumentStore } from "./document-store.ts";
import { unreadable } from "./file-errors.ts";
import type { FolderWatch, WatchEvents } from "./folder-watch.ts";
import { LookQueue } from "./look-queue.ts";

export type WatchMode = "auto" | "poll" | "off";

/** The parts that an index is made of; they are made on its first use. */
export interface IndexParts {
  readonly store: DocumentStore;
  readonly mirror: DiskMirror;
  watch(events: WatchEvents): Promise<FolderWatch>;
}

export interface IndexOptions {
  readonly watch: WatchMode;
  warn(message: string, error: unknown): void;
}

/** The whole vault is looked at this often in case an event was missed, and this often where there are no events. */
const checkEveryMs = 60_000;
const pollEveryMs = 500;

const reportEveryMs = 500;

/** A look at the whole vault may take this share of the time between two looks. */
const busyShare = 0.1;

/** The index in memory: built on the first use, then kept in step with the disk. */
export class MemoryIndex implements DocumentIndex {
  readonly #load: () => Promise<IndexParts>;
  readonly #options: IndexOptions;
  readonly #stop = new AbortController();
  readonly #queue = new LookQueue((paths) => this.#update(paths));
  readonly #listeners = new Set<(change: IndexChange) => void>();
  #parts: IndexParts | undefined;
  #started: Promise<void> | undefined;
  /** Whether the index has caught up with the disk once. */
  #complete = false;
  #dirty = 0;
  #failure: VaultError | undefined;
  #watching = false;
  #watch: FolderWatch | undefined;
  #lastLookMs = 0;

  constructor(load: () => Promise<IndexParts>, options: IndexOptions) {
    this.#load = load;
    this.#options = options;
  }

  async ready(maxMs: number, signal: AbortSignal, report?: ProgressReport): Promise<IndexProgress> {
    const caughtUp = this.#failure === undefined ? this.#start() : this.#look([""]);
    await this.#reporting(report, within(maxMs, caughtUp, signal));
    if (this.#failure !== undefined) throw this.#failure;
    return this.#progress();
  }

  async settle(maxMs: number, signal: AbortSignal, report?: ProgressReport): Promise<boolean> {
    const looked = this.#start().then(() => this.#look([""]));
    const settled = await this.#reporting(report, within(maxMs, looked, signal));
    if (this.#failure !== undefined) throw this.#failure;
    return settled;
  }

  async refresh(paths: readonly string[], maxMs: number, signal: AbortSignal): Promise<boolean> {
    const looked = this.#start().then(() => this.#look(paths));
    return within(maxMs, looked, signal);
  }

  async #reporting<Result>(report: ProgressReport | undefined, waiting: Promise<Result>): Promise<Result> {
    if (report === undefined) return waiting;
    const timer = setInterval(() => {
      const { indexed, found } = this.#progress();
      report(indexed, found);
    }, reportEveryMs);
    return waiting.finally(() => clearInterval(timer));
  }

  async list(request: ListRequest): Promise<ListPage> {
    const { store } = await this.#loaded();
    return store.list(request);
  }

  async nearestPaths(path: string, most: number): Promise<readonly string[]> {
    const { store } = await this.#loaded();
    return nearest(path, store.paths, most, (candidate) =>
      nameOf(candidate).replace(/\.(?:md|markdown)$/i, ""),
    );
  }

  subscribe(listener: (change: IndexChange) => void): () => void {
    this.#listeners.add(listener);
    this.#start();
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#watch?.end();
  }

  #progress(): IndexProgress {
    const { indexed, found } = this.#parts?.mirror.progress ?? { indexed: 0, found: 0 };
    const state = this.#failure !== undefined ? "failed" : this.#complete ? "ready" : "building";
    return { state, indexed, found, stale: state !== "ready" || this.#dirty > 0 };
  }

  async #loaded(): Promise<IndexParts> {
    this.#parts ??= await this.#load();
    return this.#parts;
  }

  /** Resolves when the first look at the whole vault is over. */
  #start(): Promise<void> {
    this.#started ??= this.#look([""]);
    if (!this.#watching && this.#options.watch !== "off") {
      this.#watching = true;
      this.#started
        .then(() => this.#keepUp())
        .catch((error) => this.#warnOf("watching the vault failed", error));
    }
    return this.#started;
  }

  /** Follows what happens on the disk until the index is closed. */
  async #keepUp(): Promise<void> {
    let every = pollEveryMs;
    if (this.#options.watch === "auto") {
      const { watch } = await this.#loaded();
      if (this.#stop.signal.aborted) return;
      every = checkEveryMs;
      const opened = await watch({
        changed: (paths) => this.#lookAtChanged(paths),
        failed: (error) => {
          this.#warnOf("cannot watch the vault for changes; looking at it again and again instead", error);
          every = pollEveryMs;
          this.#look([""]);
        },
      });
      this.#watch = opened;
      if (this.#stop.signal.aborted) return opened.end();
      // What changed after the first look and before everything was watched.
      await this.#look([""]);
    }
    for (let waited = 0; ; ) {
      // In short steps, since watching may fail meanwhile.
      await sleep(pollEveryMs, undefined, { ref: false, signal: this.#stop.signal });
      waited += pollEveryMs;
      if (waited < Math.max(every, this.#lastLookMs / busyShare)) continue;
      await this.#look([""]);
      waited = 0;
    }
  }

  #lookAtChanged(paths: readonly string[]): void {
    this.#dirty += 1;
    this.#look(paths).finally(() => {
      this.#dirty -= 1;
    });
  }

  #look(paths: readonly string[]): Promise<void> {
    return this.#queue.look(paths);
  }

  async #update(paths: readonly string[]): Promise<void> {
    const since = performance.now();
    try {
      const { mirror, store } = await this.#loaded();
      const change = await mirror.update(paths, this.#stop.signal);
      this.#failure = undefined;
      this.#watch?.follow(store.folders);
      if (paths.includes("")) this.#complete = true;
      if (change.paths.length > 0) for (const listener of this.#listeners) listener(change);
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      if (this.#failure === undefined) this.#warnOf("the vault cannot be read", error);
      this.#failure = unreadable("", error);
    } finally {
      if (paths.includes("")) this.#lastLookMs = performance.now() - since;
    }
  }

  #warnOf(message: string, error: unknown): void {
    if (!this.#stop.signal.aborted) this.#options.warn(message, error);
  }
}

/** Waits for a promise, `maxMs` at most; whether it was over by then. */
async function within(maxMs: number, promise: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  const over = new AbortController();
  const timer = sleep(maxMs, false, { signal: AbortSignal.any([over.signal, signal]) });
  // When the promise comes first, nobody waits for the timer any more.
  timer.catch(() => {});
  try {
    return await Promise.race([promise.then(() => true), timer]);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    over.abort();
  }
}
