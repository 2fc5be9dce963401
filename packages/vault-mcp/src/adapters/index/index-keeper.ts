import { accessSync, constants, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "@mcp-file-servers/sqlite";
import type { ParseYaml } from "../../domain/frontmatter.ts";
import { createVisibility, type Visibility } from "../../domain/visibility.ts";
import { reasonOf } from "../file-errors.ts";
import type { FolderWatch } from "../folder-watch.ts";
import { LookQueue } from "../look-queue.ts";
import { TimeSlice } from "../time-slice.ts";
import { bringUpToDate } from "./bring-up-to-date.ts";
import { inodeOf, isCorrupt, makeIndexFile, type OpenedFile, openIndexFile } from "./index-file.ts";
import { changesSince, readScan, writeScan } from "./index-meta.ts";
import {
  type FromKeeper,
  fingerprintOf,
  type KeeperSettings,
  type KeeperState,
  type ScanState,
  type ToKeeper,
  type WatcherKind,
} from "./keeper-messages.ts";
import { Leadership } from "./leadership.ts";
import { DiskLook } from "./look-at-disk.ts";
import type { OpenWatch } from "./open-watch.ts";
import { indexFormat } from "./schema.ts";

export interface KeeperTools {
  readonly parseYaml: ParseYaml;
  readonly openWatch: OpenWatch;
  now(): Date;
  post(message: FromKeeper): void;
}

/** Work goes on for this long before messages get their turn, milliseconds. */
const sliceMs = 30;
const tickMs = 250;
const pollEveryMs = 500;
const tellEveryMs = 200;

/** A look at the whole vault may take this share of the time between two looks. */
const busyShare = 0.1;

/** Two damages within this time are one that cannot be mended, milliseconds. */
const restsMs = 5_000;
const isDamaged = "the index is damaged and is made again";

const nothingYet: ScanState = { complete: false, caughtUp: false, indexed: 0, found: 0 };

/**
 * Keeps the index of a vault in step with the disk, as a worker does: of several processes one leads, which scans and
 * watches; each takes in what it is asked to look at.
 */
export class IndexKeeper {
  #settings: KeeperSettings;
  readonly #tools: KeeperTools;
  readonly #visibility: Visibility;
  readonly #fingerprint: string;
  readonly #stop = new AbortController();
  readonly #queue = new LookQueue((paths) => this.#update(paths));
  #leadership: Leadership | undefined;
  #leads = false;
  #opened: OpenedFile | undefined;
  #scan = nothingYet;
  #failure: KeeperState["failure"];
  #pending = 0;
  #watcher: WatcherKind = "none";
  #watch: FolderWatch | undefined;
  #generation = 0;
  #lastLookMs = 0;
  #toldAt = 0;
  #temporary: string | undefined;
  #rebuiltAt = Number.NEGATIVE_INFINITY;
  #rebuilding: Promise<void> | undefined;
  #stopCommits = () => {};

  constructor(settings: KeeperSettings, tools: KeeperTools) {
    this.#settings = settings;
    this.#tools = tools;
    this.#visibility = createVisibility(settings.rules);
    this.#fingerprint = fingerprintOf(settings, indexFormat);
  }

  receive(message: ToKeeper): void {
    if (message.kind === "close") this.#close();
    else if (message.kind === "damaged") this.#rebuild(isDamaged, new Error(message.detail));
    else {
      this.#look(message.paths).finally(() => this.#tools.post({ kind: "looked", id: message.id }));
    }
  }

  /** Runs until it is closed. */
  async run(): Promise<void> {
    const { signal } = this.#stop;
    try {
      this.#settings = this.#withWritableFile(this.#settings);
      this.#leadership = await Leadership.open(`${this.#settings.file}.lock`);
      this.#leads = await this.#leadership.tryNow();
      if (!this.#leads) await this.#follow(this.#leadership);
      if (!signal.aborted) await this.#lead();
    } catch (error) {
      if (!signal.aborted) this.#fail("", `the index cannot be used: ${reasonOf(error)}`, error);
    }
  }

  /** Where the index's folder cannot be written, the index lies in one of its own until it is closed. */
  #withWritableFile(settings: KeeperSettings): KeeperSettings {
    try {
      mkdirSync(dirname(settings.file), { recursive: true, mode: 0o700 });
      accessSync(dirname(settings.file), constants.W_OK | constants.X_OK);
      return settings;
    } catch (error) {
      this.#warn(
        "the index's folder cannot be written; the index is temporary, name another by --index",
        error,
      );
      this.#temporary = mkdtempSync(join(tmpdir(), "vault-mcp-index-"));
      return { ...settings, file: join(this.#temporary, "index.sqlite") };
    }
  }

  /** Resolves when this process leads. */
  async #follow(leadership: Leadership): Promise<void> {
    const leading = leadership.wait(this.#stop.signal).then(() => {
      this.#leads = true;
    });
    this.#watcher = "shared";
    this.#keepOpened().catch((error) => this.#warn("reading the shared index failed", error));
    await leading.catch((error) => {
      if (!this.#stop.signal.aborted) throw error;
    });
  }

  /** Opens the index that another process has made, and another that comes in its place. */
  async #keepOpened(): Promise<void> {
    while (!this.#leads && !this.#stop.signal.aborted) {
      if (this.#opened?.inode !== inodeOf(this.#settings.file)) {
        const opened = await openIndexFile(this.#settings.file, this.#fingerprint);
        if (this.#leads || this.#stop.signal.aborted) return opened?.database.close();
        if (opened !== undefined) await this.#use(opened);
      }
      await this.#pause(tickMs);
    }
  }

  async #lead(): Promise<void> {
    const { file, watch, checkEveryMs } = this.#settings;
    this.#watcher = "none";
    if (this.#opened === undefined || this.#opened.inode !== inodeOf(file)) {
      const opened = await openIndexFile(file, this.#fingerprint);
      await this.#use(opened ?? (await makeIndexFile(file, this.#fingerprint)));
    }
    await this.#tell({ ...this.#scan, caughtUp: false });
    await this.#look([""]);
    let every = watch === "off" ? Number.POSITIVE_INFINITY : pollEveryMs;
    if (watch === "poll") this.#watcher = "polling";
    if (watch === "auto") {
      await this.#openWatch();
      every = this.#watch === undefined ? pollEveryMs : checkEveryMs;
    }
    this.#postState();
    for (let waited = 0; !this.#stop.signal.aborted; ) {
      await this.#pause(tickMs);
      waited += tickMs;
      if (this.#opened?.inode !== inodeOf(file)) {
        await this.#rebuild("the index file is gone and is made again", new Error(file));
      }
      if (watch === "auto") every = this.#watch === undefined ? pollEveryMs : checkEveryMs;
      if (waited < Math.max(every, this.#lastLookMs / busyShare)) continue;
      const before = this.#generation;
      const quiet = this.#pending === 0;
      await this.#look([""]);
      waited = 0;
      // Nobody told of what was found: whoever watches has died.
      if (quiet && this.#generation !== before && this.#watch !== undefined) await this.#openWatch();
    }
  }

  async #openWatch(): Promise<void> {
    await this.#watch?.end();
    this.#watch = undefined;
    this.#watcher = "polling";
    const { root, mostByChokidar } = this.#settings;
    const place = { root, visibility: this.#visibility };
    const opened = await this.#tools
      .openWatch(place, this.#scan.found > mostByChokidar, await this.#folders(), {
        changed: (paths) => this.#lookAtChanged(paths),
        failed: (error) => {
          this.#watch = undefined;
          this.#watcher = "polling";
          this.#warn("cannot watch the vault for changes; looking at it again and again instead", error);
          this.#look([""]);
        },
      })
      .catch((error) => {
        this.#warn("cannot watch the vault for changes; looking at it again and again instead", error);
        return undefined;
      });
    if (opened === undefined || opened.hasFailed()) return;
    if (this.#stop.signal.aborted) return opened.watch.end();
    this.#watch = opened.watch;
    this.#watcher = opened.kind;
    // What changed after the last look and before everything was watched.
    await this.#look([""]);
  }

  #lookAtChanged(paths: readonly string[]): void {
    this.#pending += 1;
    this.#postState();
    this.#look(paths).finally(() => {
      this.#pending -= 1;
      this.#postState();
    });
  }

  #look(paths: readonly string[]): Promise<void> {
    return this.#queue.look(paths);
  }

  async #update(paths: readonly string[]): Promise<void> {
    const isWhole = paths.includes("");
    const since = performance.now();
    try {
      await this.#takeIn(paths, isWhole);
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      if (isCorrupt(error)) await this.#rebuild(isDamaged, error);
      else this.#fail("", reasonOf(error), error);
    } finally {
      if (isWhole) this.#lastLookMs = performance.now() - since;
    }
  }

  async #takeIn(paths: readonly string[], isWhole: boolean): Promise<void> {
    const database = await this.#database();
    if (database === undefined) return;
    const { root } = this.#settings;
    const { signal } = this.#stop;
    const slice = new TimeSlice(sliceMs);
    const warn = (path: string, error: unknown) => this.#warn(`left out ${JSON.stringify(path)}`, error);
    const place = { root, visibility: this.#visibility, warn };
    const differences = await new DiskLook(place, database, slice, signal).compare(paths);
    const { found, toRead, newFolders, goneFolders } = differences;
    const before = found - toRead.length;
    const setting = {
      ...this.#tools,
      root,
      signal,
      slice,
      indexed: (count: number) => {
        if (isWhole && !this.#scan.caughtUp)
          this.#progress({ ...this.#scan, indexed: before + count, found });
      },
    };
    if (isWhole && this.#leads) setting.indexed(0);
    const change = await bringUpToDate(database, differences, setting);
    this.#failure = undefined;
    if (isWhole && this.#leads) await this.#tell({ complete: true, caughtUp: true, indexed: found, found });
    if (newFolders.length + goneFolders.length > 0) this.#watch?.follow(await this.#folders());
    if (change.paths.length === 0) return;
    this.#tools.post({ kind: "changed", ...change });
    this.#generation = (await changesSince(database, this.#generation, 0)).generation;
  }

  /** The database, once there is one. */
  async #database(): Promise<Database | undefined> {
    while (this.#opened === undefined && this.#failure === undefined && !this.#stop.signal.aborted) {
      await this.#pause(20);
    }
    return this.#stop.signal.aborted ? undefined : this.#opened?.database;
  }

  async #folders(): Promise<Set<string>> {
    const rows = await this.#opened?.database.read(({ all }) =>
      all<{ path: string }>("SELECT path FROM folder"),
    );
    return new Set((rows ?? []).map(({ path }) => path));
  }

  async #use(opened: OpenedFile): Promise<void> {
    this.#stopCommits();
    this.#opened?.database.close();
    this.#opened = opened;
    const { database } = opened;
    this.#scan = { ...nothingYet, ...(await readScan(database)) };
    this.#generation = (await changesSince(database, Number.MAX_SAFE_INTEGER, 0)).generation;
    this.#stopCommits = database.watchCommits(() => this.#takeOthersChanges(opened));
    this.#tools.post({ kind: "opened", file: this.#settings.file });
    this.#postState();
  }

  /** Tells of what other processes wrote. */
  #takeOthersChanges(opened: OpenedFile): void {
    const read = async () => {
      if (!this.#leads) this.#scan = { ...nothingYet, ...(await readScan(opened.database)) };
      const changes = await changesSince(opened.database, this.#generation, 5_000);
      this.#generation = changes.generation;
      if (changes.paths.length > 0) this.#tools.post({ kind: "changed", ...changes });
      this.#postState();
    };
    read().catch((error) => {
      if (this.#opened === opened) this.#warn("reading the shared index failed", error);
    });
  }

  /** Makes the index again; of several processes the one that leads does. */
  #rebuild(why: string, error: unknown): Promise<void> {
    this.#rebuilding ??= this.#makeAgain(why, error).finally(() => {
      this.#rebuilding = undefined;
    });
    return this.#rebuilding;
  }

  async #makeAgain(why: string, error: unknown): Promise<void> {
    if (!this.#leads || this.#stop.signal.aborted) return;
    const now = performance.now();
    const { file } = this.#settings;
    // What is wrong again at once is not mended by making it again.
    if (now - this.#rebuiltAt < restsMs)
      return this.#fail("", `the index ${file} is damaged again and again`, error);
    this.#rebuiltAt = now;
    this.#warn(why, error);
    this.#scan = nothingYet;
    this.#stopCommits();
    this.#opened?.database.close();
    this.#opened = undefined;
    try {
      await this.#use(await makeIndexFile(file, this.#fingerprint));
      this.#look([""]);
    } catch (cause) {
      this.#fail("", `the index ${file} cannot be made: ${reasonOf(cause)}`, cause);
    }
  }

  /** Keeps the state in the index too, for the others. */
  async #tell(scan: ScanState): Promise<void> {
    this.#scan = scan;
    this.#postState();
    if (this.#leads && this.#opened !== undefined) await writeScan(this.#opened.database, scan);
  }

  #progress(scan: ScanState): void {
    this.#scan = scan;
    const now = performance.now();
    if (now - this.#toldAt < tellEveryMs) return;
    this.#toldAt = now;
    this.#tell(scan).catch((error) => this.#warn("telling how far the scan is failed", error));
  }

  #postState(): void {
    const { complete, caughtUp, indexed, found } = this.#scan;
    this.#tools.post({
      kind: "state",
      state: {
        complete,
        caughtUp,
        indexed,
        found,
        pending: this.#pending,
        watcher: this.#watcher,
        failure: this.#failure,
      },
    });
  }

  #fail(path: string, reason: string, error: unknown): void {
    if (this.#failure === undefined) this.#warn("the vault cannot be read", error);
    this.#failure = { path, reason };
    this.#postState();
  }

  #warn(message: string, error: unknown): void {
    if (this.#stop.signal.aborted) return;
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#tools.post({ kind: "warning", message, detail });
  }

  async #pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.#stop.signal }).catch(() => {});
  }

  async #close(): Promise<void> {
    this.#stop.abort();
    this.#stopCommits();
    await this.#watch?.end();
    this.#leadership?.close();
    this.#opened?.database.close();
    if (this.#temporary !== undefined) rmSync(this.#temporary, { recursive: true, force: true });
    this.#tools.post({ kind: "closed" });
  }
}
