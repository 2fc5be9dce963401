import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ProcessLock } from "@mcp-file-servers/sqlite";
import { VaultError } from "../../domain/errors.ts";
import { TurnQueue } from "./turn-queue.ts";

const waitMs = 15_000;

/** Writers of this process give the lock back after this time, and leave it for this time, milliseconds. */
const holdMs = 250;
const restMs = 30;

/** Most of a write is waiting for the disk; of the four threads that wait, one is left to readers. */
const mostTurns = 3;

/** The lock between processes, as long as it is wanted here. */
interface Holding {
  readonly stop: AbortController;
  /** Resolves to what gives it back. */
  readonly taken: Promise<() => void>;
  readonly since: number;
}

/**
 * Lets the writers of a vault work one at a time, but for those of one process that are about different notes: a queue in
 * this process, a lock file between processes.
 */
export class WriteLock {
  readonly #folder: string;
  readonly #begin: () => Promise<void>;
  readonly #turns = new TurnQueue(mostTurns);
  readonly #all = new Set<Promise<unknown>>();
  #lock: Promise<ProcessLock> | undefined;
  #begun = false;
  #holding: Holding | undefined;
  #rest: NodeJS.Timeout | undefined;

  /**
   * @param folder the vault's state folder; made when it is missing.
   * @param begin is run with the lock held before the first turn of this process.
   */
  constructor(folder: string, begin: () => Promise<void>) {
    this.#folder = folder;
    this.#begin = begin;
  }

  /**
   * @param note tells one note from another where the turn is about one that exists; such turns may run at once.
   * @throws VaultError NOT_WRITTEN when others write all the time, the signal's reason, and what opening the lock throws.
   */
  async run<Result>(signal: AbortSignal, turn: () => Promise<Result>, note?: string): Promise<Result> {
    const mine = this.#run(signal, turn, note);
    this.#all.add(mine);
    return mine.finally(() => this.#all.delete(mine));
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#all);
    clearTimeout(this.#rest);
    const lock = await this.#lock?.catch(() => undefined);
    lock?.close();
  }

  async #run<Result>(
    signal: AbortSignal,
    turn: () => Promise<Result>,
    note: string | undefined,
  ): Promise<Result> {
    const end = await this.#turns.enter(signal, note);
    try {
      await untilAborted(this.#hold().taken, signal);
      return await turn();
    } finally {
      end();
      if (this.#turns.isIdle) await this.#giveBack();
    }
  }

  #hold(): Holding {
    if (this.#holding === undefined) {
      const stop = new AbortController();
      const taken = this.#take(stop.signal);
      taken.catch(() => {});
      this.#holding = { stop, taken, since: performance.now() };
    }
    // Those who come all the time must not keep other processes out.
    if (performance.now() - this.#holding.since > holdMs) this.#turns.pause();
    return this.#holding;
  }

  /** Before the next turn begins. */
  async #giveBack(): Promise<void> {
    const holding = this.#holding;
    if (holding === undefined) return;
    this.#holding = undefined;
    this.#turns.pause();
    holding.stop.abort();
    const give = await holding.taken.catch(() => undefined);
    give?.();
    const wasLong = performance.now() - holding.since > holdMs;
    if (wasLong) this.#rest = setTimeout(() => this.#turns.resume(), restMs);
    else this.#turns.resume();
  }

  async #take(stop: AbortSignal): Promise<() => void> {
    this.#lock ??= this.#open();
    // A lock that could not be opened is tried again by the next writer.
    this.#lock.catch(() => {
      this.#lock = undefined;
    });
    const lock = await this.#lock;
    const limit = AbortSignal.timeout(waitMs);
    const give = await lock.take(AbortSignal.any([stop, limit])).catch((error: unknown) => {
      if (!limit.aborted) throw error;
      const reason = `another server of this vault has been writing for ${waitMs / 1000} s`;
      throw new VaultError("NOT_WRITTEN", { path: "", reason, retry: true }, { cause: error });
    });
    try {
      if (!this.#begun) await this.#begin();
      this.#begun = true;
    } catch (error) {
      give();
      throw error;
    }
    return give;
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
