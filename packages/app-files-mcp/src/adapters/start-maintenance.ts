import type { FileStore } from "../domain/store.ts";

/** Milliseconds to the first pass, long after the start, and between passes. */
const firstPass = 60_000;
const interval = 10 * 60_000;

/** Tends the store from time to time while the process lives; keeps no process alive. Returns what ends it. */
export function startMaintenance(store: FileStore, onError: (error: unknown) => void): () => void {
  const stop = new AbortController();
  let timer = schedule(firstPass);

  function schedule(delay: number): NodeJS.Timeout {
    return setTimeout(() => {
      store
        .maintain({ signal: stop.signal })
        .catch((error: unknown) => {
          if (!stop.signal.aborted) onError(error);
        })
        .finally(() => {
          if (!stop.signal.aborted) timer = schedule(interval);
        });
    }, delay).unref();
  }

  return () => {
    stop.abort();
    clearTimeout(timer);
  };
}
