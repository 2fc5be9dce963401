import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "@mcp-file-servers/sqlite";
import type { ParseYaml } from "../../../domain/note/frontmatter.ts";
import { createVisibility, type Visibility } from "../../../domain/visibility.ts";
import { reasonOf } from "../../file-errors.ts";
import { LookQueue } from "../../look-queue.ts";
import { TimeSlice } from "../../time-slice.ts";
import { isCorrupt } from "../index-file.ts";
import { findIndexPlace } from "../index-place.ts";
import { type FromKeeper, fingerprintOf, type KeeperSettings, type ToKeeper } from "../keeper-messages.ts";
import { indexFormat } from "../schema.ts";
import { bringUpToDate } from "./bring-up-to-date.ts";
import { CurrentIndex } from "./current-index.ts";
import { KeeperReport } from "./keeper-report.ts";
import { Leadership } from "./leadership.ts";
import { DiskLook, type LookPlace } from "./look-at-disk.ts";
import { abandonAll } from "./loose-rows.ts";
import type { OpenWatch } from "./open-watch.ts";
import { VaultWatch } from "./vault-watch.ts";

export interface KeeperTools {
  readonly parseYaml: ParseYaml;
  readonly openWatch: OpenWatch;
  now(): Date;
  post(message: FromKeeper): void;
  /** Called after work that left much: the thread may do nothing for hours then. */
  collectGarbage(): void;
}

/** Work goes on for this long before messages get their turn, milliseconds. */
const sliceMs = 30;
const tickMs = 250;
const pollEveryMs = 500;
const tellEveryMs = 200;

/** To take in so many files leaves some ten megabytes of garbage. */
const manyFiles = 1_000;

/** A look at the whole vault may take this share of the time between two looks. */
const busyShare = 0.1;

const isDamaged = "the index is damaged and is made again";

/**
 * Keeps the index of a vault in step with the disk, as a worker does: of several processes one leads, which scans and
 * watches; each takes in what it is asked to look at.
 */
export class IndexKeeper {
  readonly #settings: KeeperSettings;
  readonly #tools: KeeperTools;
  readonly #visibility: Visibility;
  /** Among those who write to the index. */
  readonly #name = randomUUID();
  readonly #stop = new AbortController();
  readonly #report: KeeperReport;
  readonly #watch: VaultWatch;
  readonly #queue = new LookQueue((paths) => this.#update(paths));
  #index: CurrentIndex | undefined;
  #leadership: Leadership | undefined;
  #leads = false;
  #lastLookMs = 0;
  #toldAt = 0;
  #disposePlace = () => {};

  constructor(settings: KeeperSettings, tools: KeeperTools) {
    const { signal } = this.#stop;
    this.#settings = settings;
    this.#tools = tools;
    this.#visibility = createVisibility(settings.rules);
    this.#report = new KeeperReport((message) => tools.post(message), signal);
    this.#watch = new VaultWatch({
      place: { root: settings.root, visibility: this.#visibility },
      openWatch: tools.openWatch,
      report: this.#report,
      signal,
      look: (paths) => this.#queue.look(paths),
      differ: (paths) => this.#differ(paths),
    });
  }

  receive(message: ToKeeper): void {
    if (message.kind === "close") this.#close();
    else if (message.kind === "damaged") this.#index?.rebuild(isDamaged, new Error(message.detail));
    else {
      this.#queue.look(message.paths).finally(() => this.#tools.post({ kind: "looked", id: message.id }));
    }
  }

  /** Runs until it is closed. */
  async run(): Promise<void> {
    const { signal } = this.#stop;
    try {
      const place = findIndexPlace(this.#settings.file, (...warning) => this.#report.warn(...warning));
      this.#disposePlace = place.dispose;
      const index = this.#indexAt(place.file);
      this.#index = index;
      const leadership = await Leadership.open(`${place.file}.lock`);
      this.#leadership = leadership;
      this.#leads = await leadership.tryNow();
      if (!this.#leads) await this.#follow(index, leadership);
      if (!signal.aborted) await this.#lead(index);
    } catch (error) {
      if (!signal.aborted) this.#report.fail(`the index cannot be used: ${reasonOf(error)}`, error);
    }
  }

  #indexAt(file: string): CurrentIndex {
    return new CurrentIndex({
      file,
      fingerprint: fingerprintOf(this.#settings, indexFormat),
      report: this.#report,
      signal: this.#stop.signal,
      leads: () => this.#leads,
      post: (message) => this.#tools.post(message),
      remade: () => this.#queue.look([""]),
    });
  }

  /** Resolves when this process leads; until then it reads what another has made. */
  async #follow(index: CurrentIndex, leadership: Leadership): Promise<void> {
    const { signal } = this.#stop;
    const leading = leadership.wait(signal).then(() => {
      this.#leads = true;
    });
    this.#report.set({ watcher: "shared" });
    this.#keepOpened(index).catch((error) => this.#report.warn("reading the shared index failed", error));
    await leading.catch((error) => {
      if (!signal.aborted) throw error;
    });
  }

  async #keepOpened(index: CurrentIndex): Promise<void> {
    while (!this.#leads && !this.#stop.signal.aborted) {
      if (index.isReplaced) await index.openShared();
      await this.#pause(tickMs);
    }
  }

  async #lead(index: CurrentIndex): Promise<void> {
    const { file, watch } = this.#settings;
    await index.openOwn();
    if (index.database !== undefined) await abandonAll(index.database);
    await index.tell({ ...this.#report.scan, caughtUp: false });
    await this.#queue.look([""]);
    if (watch === "auto") await this.#openWatch(index);
    this.#report.set(watch === "poll" ? { watcher: "polling" } : {});
    for (let waited = 0; !this.#stop.signal.aborted; ) {
      await this.#pause(tickMs);
      waited += tickMs;
      if (index.isReplaced) await index.rebuild("the index file is gone and is made again", new Error(file));
      if (waited < Math.max(this.#checkEveryMs(), this.#lastLookMs / busyShare)) continue;
      const before = index.generation;
      const quiet = this.#report.state.pending === 0;
      await this.#queue.look([""]);
      waited = 0;
      // Nobody told of what was found: whoever watches has died.
      if (quiet && index.generation !== before && this.#watch.isWatching) await this.#openWatch(index);
    }
  }

  /** How often the whole vault is looked at. */
  #checkEveryMs(): number {
    const { watch, checkEveryMs } = this.#settings;
    if (watch === "off") return Number.POSITIVE_INFINITY;
    return this.#watch.isWatching ? checkEveryMs : pollEveryMs;
  }

  async #openWatch(index: CurrentIndex): Promise<void> {
    const isLarge = this.#report.scan.found > this.#settings.mostByChokidar;
    await this.#watch.open(isLarge, await index.folders());
  }

  async #update(paths: readonly string[]): Promise<void> {
    const isWhole = paths.includes("");
    const since = performance.now();
    try {
      await this.#takeIn(paths, isWhole);
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      if (isCorrupt(error)) await this.#index?.rebuild(isDamaged, error);
      else this.#report.fail(reasonOf(error), error);
    } finally {
      if (isWhole) this.#lastLookMs = performance.now() - since;
    }
  }

  async #takeIn(paths: readonly string[], isWhole: boolean): Promise<void> {
    const database = await this.#database();
    const index = this.#index;
    if (database === undefined || index === undefined) return;
    const { root } = this.#settings;
    const { signal } = this.#stop;
    const slice = new TimeSlice(sliceMs);
    const warn = (path: string, error: unknown) =>
      this.#report.warn(`left out ${JSON.stringify(path)}`, error);
    const differences = await this.#look(database, slice, warn).compare(paths);
    const { found, toRead, newFolders, goneFolders } = differences;
    const before = found - toRead.length;
    const indexed = (count: number) => {
      if (isWhole && !this.#report.scan.caughtUp) this.#progress(index, before + count, found);
    };
    if (this.#leads) indexed(0);
    const change = await bringUpToDate(database, differences, {
      ...this.#tools,
      root,
      owner: this.#name,
      signal,
      slice,
      indexed,
    });
    if (toRead.length >= manyFiles) this.#tools.collectGarbage();
    if (this.#report.state.failure !== undefined) this.#report.set({ failure: undefined });
    if (isWhole && this.#leads) await index.tell({ complete: true, caughtUp: true, indexed: found, found });
    if (newFolders.length + goneFolders.length > 0) this.#watch.follow(await index.folders());
    if (change.paths.length === 0) return;
    this.#tools.post({ kind: "changed", ...change });
    await index.skipOwnChanges();
  }

  async #differ(paths: readonly string[]): Promise<boolean> {
    const database = this.#index?.database;
    if (database === undefined) return true;
    // Who looks at them for good warns of what is wrong.
    return this.#look(database, new TimeSlice(sliceMs), () => {})
      .seesAny(paths)
      .catch(() => true);
  }

  #look(database: Database, slice: TimeSlice, warn: LookPlace["warn"]): DiskLook {
    const place = { root: this.#settings.root, visibility: this.#visibility, warn };
    return new DiskLook(place, database, slice, this.#stop.signal);
  }

  /** The database, once there is one. */
  async #database(): Promise<Database | undefined> {
    while (this.#index?.database === undefined && this.#report.state.failure === undefined) {
      if (this.#stop.signal.aborted) break;
      await this.#pause(20);
    }
    return this.#stop.signal.aborted ? undefined : this.#index?.database;
  }

  #progress(index: CurrentIndex, indexed: number, found: number): void {
    const now = performance.now();
    if (now - this.#toldAt < tellEveryMs) return;
    this.#toldAt = now;
    index
      .tell({ ...this.#report.scan, indexed, found })
      .catch((error) => this.#report.warn("telling how far the scan is failed", error));
  }

  async #pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.#stop.signal }).catch(() => {});
  }

  async #close(): Promise<void> {
    this.#stop.abort();
    await this.#watch.end();
    this.#leadership?.close();
    this.#index?.close();
    this.#disposePlace();
    this.#tools.post({ kind: "closed" });
  }
}
