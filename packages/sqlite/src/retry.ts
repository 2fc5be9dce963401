import { setTimeout as sleep } from "node:timers/promises";
import { SqliteError } from "./sqlite-error.ts";

/** Time and chance, to be set in tests. */
export interface RetryClock {
  /** Milliseconds, growing. */
  now(): number;
  /** From 0 to less than 1. */
  random(): number;
  /** Resolves after that many milliseconds; rejects with the signal's reason. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: RetryClock = {
  now: () => performance.now(),
  random: () => Math.random(),
  wait: async (milliseconds, signal) => {
    await sleep(milliseconds, undefined, signal === undefined ? {} : { signal }).catch((error: unknown) => {
      throw signal?.aborted === true ? signal.reason : error;
    });
  },
};

/** Milliseconds that a caller waits for other processes' locks. */
export const busyLimitMs = 30_000;

/**
 * Runs `attempt` again while another process holds the lock, with a growing, jittered pause that leaves the
 * event loop free.
 *
 * @throws what `attempt` throws, the signal's reason, or BUSY after `busyLimitMs`.
 */
export async function retryWhileBusy<Result>(
  attempt: () => Result,
  clock: RetryClock,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const deadline = clock.now() + busyLimitMs;
  for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
    signal?.throwIfAborted();
    try {
      return attempt();
    } catch (error) {
      if (!(error instanceof SqliteError) || error.code !== "BUSY" || clock.now() >= deadline) throw error;
    }
    // At random between half and all of the pause, so that waiting processes do not meet again and again.
    await clock.wait(pause * (0.5 + clock.random() / 2), signal);
  }
}
