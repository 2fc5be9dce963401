import type { FolderWatch, WatchedPlace } from "../../folder-watch.ts";
import type { KeeperReport } from "./keeper-report.ts";
import type { OpenWatch } from "./open-watch.ts";

export interface VaultWatchParts {
  readonly place: WatchedPlace;
  readonly openWatch: OpenWatch;
  readonly report: KeeperReport;
  readonly signal: AbortSignal;
  /** Looks at paths of the disk, `""` for the whole vault. */
  look(paths: readonly string[]): Promise<void>;
  /** Whether paths seem to differ from what the index has. */
  differ(paths: readonly string[]): Promise<boolean>;
}

const cannotWatch = "cannot watch the vault for changes; looking at it again and again instead";

/** Watches a vault as long as the system lets it; what changed is looked at. */
export class VaultWatch {
  readonly #parts: VaultWatchParts;
  #watch: FolderWatch | undefined;

  constructor(parts: VaultWatchParts) {
    this.#parts = parts;
  }

  get isWatching(): boolean {
    return this.#watch !== undefined;
  }

  /** Begins to watch, anew where it did before. Resolves when all is watched and what changed meanwhile was looked at. */
  async open(isLarge: boolean, folders: ReadonlySet<string>): Promise<void> {
    const { place, openWatch, report, signal, look } = this.#parts;
    await this.end();
    report.set({ watcher: "polling" });
    const events = {
      changed: (paths: readonly string[]) => this.#lookAtChanged(paths),
      failed: (error: unknown) => this.#fail(error),
    };
    const opened = await openWatch(place, isLarge, folders, events).catch((error) => {
      report.warn(cannotWatch, error);
      return undefined;
    });
    if (opened === undefined || opened.hasFailed()) return;
    if (signal.aborted) return opened.watch.end();
    this.#watch = opened.watch;
    report.set({ watcher: opened.kind });
    // What changed after the last look and before everything was watched.
    await look([""]);
  }

  /** Told of the folders that there are, after each look at the disk that found others. */
  follow(folders: ReadonlySet<string>): void {
    this.#watch?.follow(folders);
  }

  async end(): Promise<void> {
    const watch = this.#watch;
    this.#watch = undefined;
    await watch?.end();
  }

  async #lookAtChanged(paths: readonly string[]): Promise<void> {
    const { report, look, differ } = this.#parts;
    // What a tool wrote is in the index when the event of it comes; it is looked at all the same, to be sure.
    if (!(await differ(paths))) return look(paths);
    report.set({ pending: report.state.pending + 1 });
    await look(paths);
    report.set({ pending: report.state.pending - 1 });
  }

  #fail(error: unknown): void {
    const { report, look } = this.#parts;
    this.#watch = undefined;
    report.set({ watcher: "polling" });
    report.warn(cannotWatch, error);
    look([""]);
  }
}
