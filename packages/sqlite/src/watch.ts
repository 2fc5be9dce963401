import { SqliteError } from "./sqlite-error.ts";
import type { Reader } from "./statements.ts";

/**
 * Polls `PRAGMA data_version`, which moves with every commit that this connection did not make, and calls
 * `listener` when it moved. The timer keeps no process alive.
 *
 * @returns stops the polling.
 */
export function watchDataVersion(
  reader: Reader,
  isClosed: () => boolean,
  listener: () => void,
  intervalMs: number,
): () => void {
  let seen = dataVersion(reader);
  const timer = setInterval(() => {
    if (isClosed()) {
      clearInterval(timer);
      return;
    }
    const version = dataVersion(reader) ?? seen;
    if (version === seen) return;
    seen = version;
    listener();
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Undefined where the database does not answer: the next look, or the next call, will tell. */
function dataVersion(reader: Reader): number | undefined {
  try {
    return reader.get<{ data_version: number }>("PRAGMA data_version")?.data_version;
  } catch (error) {
    if (error instanceof SqliteError) return undefined;
    throw error;
  }
}
