import { open } from "node:fs/promises";
import { type EngineName, loadEngine, type RawConnection } from "./engine.ts";
import { type RetryClock, retryWhileBusy, systemClock } from "./retry.ts";
import { SqliteError, toSqliteError } from "./sqlite-error.ts";

/** A lock between processes that the system frees when its holder dies. */
export interface ProcessLock {
  /**
   * Takes the lock and waits for it up to 30 s; returns how to give it back. Who has it must not take it again.
   *
   * @throws SqliteError BUSY, or the signal's reason.
   */
  take(signal?: AbortSignal): Promise<() => void>;
  /** Gives the lock back if it is held, and closes the file. */
  close(): void;
}

export interface ProcessLockOptions {
  readonly engine?: EngineName;
  readonly clock?: RetryClock;
}

/**
 * Opens a lock on a file that holds nothing else, made (mode 0600) where it is missing.
 *
 * @throws MissingEngineError, SqliteError CANNOT_OPEN, CORRUPT
 */
export async function openProcessLock(path: string, options: ProcessLockOptions = {}): Promise<ProcessLock> {
  const engine = await loadEngine(options.engine);
  const clock = options.clock ?? systemClock;
  await create(path);
  // Without a write-ahead log an exclusive transaction is one lock on the file itself, and writes nothing.
  const connection = attempt(() => {
    const opened = engine.open(path);
    opened.exec("PRAGMA busy_timeout = 0");
    return opened;
  });
  let closed = false;
  return {
    async take(signal) {
      await retryWhileBusy(() => attempt(() => connection.exec("BEGIN EXCLUSIVE")), clock, signal);
      let held = true;
      return () => {
        if (held && !closed) release(connection);
        held = false;
      };
    },
    close() {
      if (!closed) connection.close();
      closed = true;
    },
  };
}

function release(connection: RawConnection): void {
  attempt(() => connection.exec("ROLLBACK"));
}

function attempt<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw toSqliteError(error);
  }
}

async function create(path: string): Promise<void> {
  try {
    const file = await open(path, "a", 0o600);
    await file.close();
  } catch (error) {
    throw new SqliteError("CANNOT_OPEN", `The lock file cannot be opened: ${path}`, { cause: error });
  }
}
