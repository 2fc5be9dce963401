/** Quiet time after which collected changes are handed on, and how long they may be held back. */
const quietMs = 40;
const longestMs = 200;

/** Collects paths that changed and hands them on together. */
export class ChangeCollector {
  readonly #flush: (paths: readonly string[]) => void;
  readonly #timers = new Set<NodeJS.Timeout>();
  #paths = new Set<string>();
  #due: NodeJS.Timeout | undefined;
  #since = 0;

  constructor(flush: (paths: readonly string[]) => void) {
    this.#flush = flush;
  }

  add(path: string): void {
    const now = performance.now();
    if (this.#paths.size === 0) this.#since = now;
    this.#paths.add(path);
    clearTimeout(this.#due);
    this.#due = setTimeout(() => this.#hand(), Math.max(0, Math.min(quietMs, this.#since + longestMs - now)));
  }

  addLater(path: string, milliseconds: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.add(path);
    }, milliseconds);
    this.#timers.add(timer);
  }

  close(): void {
    clearTimeout(this.#due);
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #hand(): void {
    const paths = [...this.#paths];
    this.#paths = new Set();
    this.#flush(paths);
  }
}
