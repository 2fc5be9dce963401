import type { FromKeeper, KeeperState, ScanState } from "../keeper-messages.ts";

/** What a scan begins with. */
export const nothingYet: ScanState = { complete: false, caughtUp: false, indexed: 0, found: 0 };

/** Tells whoever started a keeper how things stand, whenever that changes. */
export class KeeperReport {
  readonly #post: (message: FromKeeper) => void;
  readonly #signal: AbortSignal;
  #state: KeeperState = { ...nothingYet, pending: 0, watcher: "none", failure: undefined };

  /** @param signal from when on it is aborted nothing is worth a warning. */
  constructor(post: (message: FromKeeper) => void, signal: AbortSignal) {
    this.#post = post;
    this.#signal = signal;
  }

  get state(): KeeperState {
    return this.#state;
  }

  get scan(): ScanState {
    const { complete, caughtUp, indexed, found } = this.#state;
    return { complete, caughtUp, indexed, found };
  }

  set(change: Partial<KeeperState>): void {
    this.#state = { ...this.#state, ...change };
    this.#post({ kind: "state", state: this.#state });
  }

  /** The vault or the index cannot be used. */
  fail(reason: string, error: unknown): void {
    if (this.#state.failure === undefined) this.warn("the vault cannot be read", error);
    this.set({ failure: { path: "", reason } });
  }

  warn(message: string, error: unknown): void {
    if (this.#signal.aborted) return;
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#post({ kind: "warning", message, detail });
  }
}
