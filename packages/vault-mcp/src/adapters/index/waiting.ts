import { setTimeout as sleep } from "node:timers/promises";

/** Lets several wait for the next time that something happens. */
export class Waiting {
  #wake = () => {};
  #next = this.#renew();

  next(): Promise<void> {
    return this.#next;
  }

  wake(): void {
    const wake = this.#wake;
    this.#next = this.#renew();
    wake();
  }

  #renew(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** Waits for a promise, `maxMs` at most; whether it was over by then. */
export async function within(
  maxMs: number,
  promise: Promise<unknown>,
  signal: AbortSignal,
): Promise<boolean> {
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
