import { setTimeout as sleep } from "node:timers/promises";
import { openProcessLock, type ProcessLock, SqliteError } from "@mcp-file-servers/sqlite";

/** Who waits to lead asks this often, milliseconds. */
const askEveryMs = 200;

/** Leading among the processes that share an index: one at a time, freed by the system when it dies. */
export class Leadership {
  readonly #lock: ProcessLock;

  private constructor(lock: ProcessLock) {
    this.#lock = lock;
  }

  /** @param file holds the lock and nothing else; made where it is missing. */
  static async open(file: string): Promise<Leadership> {
    return new Leadership(
      await openProcessLock(file, {
        clock: {
          now: () => performance.now(),
          random: Math.random,
          wait: (_, signal) => sleep(askEveryMs, undefined, { ref: false, ...(signal && { signal }) }),
        },
      }),
    );
  }

  /** Whether this process leads from now on. */
  async tryNow(): Promise<boolean> {
    // Waiting is refused at once, so that there is one attempt.
    const onlyOnce = AbortSignal.timeout(20);
    try {
      await this.#lock.take(onlyOnce);
      return true;
    } catch (error) {
      if (onlyOnce.aborted || isBusy(error)) return false;
      throw error;
    }
  }

  /** Resolves when this process leads; rejects with the signal's reason. */
  async wait(signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        await this.#lock.take(signal);
        return;
      } catch (error) {
        signal.throwIfAborted();
        if (!isBusy(error)) throw error;
      }
    }
  }

  close(): void {
    this.#lock.close();
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof SqliteError && error.code === "BUSY";
}
