import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ProcessLock } from "@mcp-file-servers/sqlite";
import { VaultError } from "../../domain/errors.ts";

const waitMs = 15_000;

/** Lets one writer of a vault work at a time: a queue in this process, a lock file between processes. */
export class WriteLock {
  readonly #folder: string;
  readonly #begin: () => Promise<void>;
  #lock: Promise<ProcessLock> | undefined;
  #begun = false;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param folder the vault's state folder; made when it is missing.
   * @param begin is run with the lock held before the first turn of this process.
   */
  constructor(folder: string, begin: () => Promise<void>) {
    this.#folder = folder;
    this.#begin = begin;
  }

  /** @throws VaultError NOT_WRITTEN when others write all the time, the signal's reason, and what opening the lock throws. */
  async run<Result>(signal: AbortSignal, turn: () => Promise<Result>): Promise<Result> {
    const before = this.#last;
    const mine = (async () => {
      await untilAborted(before, signal);
      const release = await this.#take(signal);
      try {
        if (!this.#begun) await this.#begin();
        this.#begun = true;
        return await turn();
      } finally {
        release();
      }
    })();
    // Who gives up while waiting does not let the next one in.
    this.#last = Promise.allSettled([before, mine]);
    return mine;
  }

  async close(): Promise<void> {
    await this.#last;
    const lock = await this.#lock?.catch(() => undefined);
    lock?.close();
  }

  async #take(signal: AbortSignal): Promise<() => void> {
    this.#lock ??= this.#open();
    // A lock that could not be opened is tried again by the next writer.
    this.#lock.catch(() => {
      this.#lock = undefined;
    });
    const lock = await this.#lock;
    const limit = AbortSignal.timeout(waitMs);
    try {
      return await lock.take(AbortSignal.any([signal, limit]));
    } catch (error) {
      signal.throwIfAborted();
      if (!limit.aborted) throw error;
      const reason = `another server of this vault has been writing for ${waitMs / 1000} s`;
      throw new VaultError("NOT_WRITTEN", { path: "", reason, retry: true }, { cause: error });
    }
  }

  async #open(): Promise<ProcessLock> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const { MissingEngineError, openProcessLock } = await import("@mcp-file-servers/sqlite");
    try {
      return await openProcessLock(join(this.#folder, "write.lock"));
    } catch (error) {
      const reason =
        error instanceof MissingEngineError
          ? "this Node has no SQLite, which keeps two servers from writing at once; it takes Node 22.13 or newer, or libsql beside the server"
          : `the lock that keeps two servers from writing at once cannot be opened`;
      throw new VaultError("NOT_WRITTEN", { path: "", reason, retry: false }, { cause: error });
    }
  }
}

/** Waits for the turn before; rejects with the signal's reason. */
async function untilAborted(before: Promise<unknown>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop);
  });
  try {
    await Promise.race([before, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
