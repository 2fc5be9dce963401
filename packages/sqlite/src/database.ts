import { open } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { type EngineName, loadEngine, type RawConnection } from "./engine.ts";
import { type RetryClock, retryWhileBusy, systemClock } from "./retry.ts";
import { SqliteError, toSqliteError } from "./sqlite-error.ts";
import { createStatements, type Reader, type Writer } from "./statements.ts";
import { watchDataVersion } from "./watch.ts";

/** How a database is opened. */
export interface DatabaseOptions {
  /** `FULL`: a commit survives a power cut. `NORMAL`: it survives the process; for what can be derived again. */
  readonly synchronous: "FULL" | "NORMAL";
  /** Opens a database that is there, for reading alone. */
  readonly readOnly?: boolean;
  /** The engine to use; else the best one here. */
  readonly engine?: EngineName;
  readonly clock?: RetryClock;
}

/** Ends the waiting for a lock; the promise rejects with the signal's reason and nothing is done. */
export interface TransactionOptions {
  readonly signal?: AbortSignal | undefined;
}

/** One connection to one file, which several processes may share. */
export interface Database {
  readonly engine: EngineName;
  readonly path: string;
  /** Runs `work` on one snapshot. It may run more than once, and must not wait. */
  read<Result>(work: (reader: Reader) => Result, options?: TransactionOptions): Promise<Result>;
  /**
   * Runs `work` in an immediate transaction and commits; rolls back when it throws. `work` may run more than once
   * (while another process holds the lock), and must not wait.
   */
  write<Result>(work: (writer: Writer) => Result, options?: TransactionOptions): Promise<Result>;
  /** Calls `listener` after commits of other connections and processes, not of this one. Returns how to stop. */
  watchCommits(listener: () => void, options?: { readonly intervalMs?: number }): () => void;
  /** Closes the connection; whatever waits for a lock is refused. */
  close(): void;
}

/**
 * Opens a database file and creates it (mode 0600) where it is missing; WAL mode.
 *
 * @throws MissingEngineError, SqliteError
 */
export async function openDatabase(path: string, options: DatabaseOptions): Promise<Database> {
  const engine = await loadEngine(options.engine);
  const clock = options.clock ?? systemClock;
  const readOnly = options.readOnly ?? false;
  // SQLite gives its WAL the mode of the database file.
  if (!readOnly) await create(path);
  const connection = await retryWhileBusy(() => connect(), clock, undefined);
  const statements = createStatements(connection);
  let closed = false;

  function connect(): RawConnection {
    let opened: RawConnection | undefined;
    try {
      // libsql has no option for reading alone; the URI's mode works in both.
      opened = engine.open(readOnly ? `${pathToFileURL(path)}?mode=ro` : path);
      // Before anything that may meet a lock. Longer waits are ours: SQLite's block the event loop.
      opened.exec("PRAGMA busy_timeout = 20");
      if (!readOnly) opened.exec("PRAGMA journal_mode = WAL");
      opened.exec(`PRAGMA synchronous = ${options.synchronous}`);
      opened.exec("PRAGMA journal_size_limit = 67108864");
      // 32 MiB of pages, taken as they are used: SQLite's 2 MiB are too few for scattered rows of large tables.
      opened.exec("PRAGMA cache_size = -32768");
      // Reads the header, so that what is no database is refused here.
      opened.prepare("SELECT count(*) AS n FROM sqlite_schema").get([]);
      return opened;
    } catch (error) {
      opened?.close();
      throw toSqliteError(error);
    }
  }

  function transact<Result>(begin: string, work: (writer: Writer) => Result): Result {
    if (closed) throw new SqliteError("OTHER", "The database is closed");
    statements.exec(begin);
    try {
      const result = work(statements);
      if (result instanceof Promise) {
        result.catch(() => {});
        throw new TypeError("A transaction must not wait: its work returned a promise");
      }
      statements.exec("COMMIT");
      return result;
    } catch (error) {
      rollBack();
      throw error;
    }
  }

  function rollBack(): void {
    try {
      statements.exec("ROLLBACK");
    } catch {
      // SQLite has rolled back by itself, as it does when the disk is full.
    }
  }

  return {
    engine: engine.name,
    path,
    read: async (work, { signal } = {}) => retryWhileBusy(() => transact("BEGIN", work), clock, signal),
    write: async (work, { signal } = {}) =>
      retryWhileBusy(() => transact("BEGIN IMMEDIATE", work), clock, signal),
    watchCommits: (listener, { intervalMs = 50 } = {}) =>
      watchDataVersion(statements, () => closed, listener, intervalMs),
    close() {
      if (closed) return;
      closed = true;
      connection.close();
    },
  };
}

async function create(path: string): Promise<void> {
  try {
    const file = await open(path, "a", 0o600);
    await file.close();
  } catch (error) {
    throw new SqliteError("CANNOT_OPEN", `The database file cannot be opened: ${path}`, { cause: error });
  }
}
