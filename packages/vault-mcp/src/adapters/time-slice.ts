import { setImmediate } from "node:timers/promises";

/** Lets work that is done in one go give way to others: `turn` waits for them once the slice is used up. */
export class TimeSlice {
  readonly #milliseconds: number;
  #since: number;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
    this.#since = performance.now();
  }

  /** @throws the signal's reason when it is aborted. */
  async turn(signal: AbortSignal): Promise<void> {
    if (performance.now() - this.#since < this.#milliseconds) return;
    await setImmediate();
    signal.throwIfAborted();
    this.#since = performance.now();
  }
}
