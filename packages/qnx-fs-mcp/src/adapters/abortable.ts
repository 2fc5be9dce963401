import { setMaxListeners } from "node:events";

/**
 * Waits for `work`, or fails with the signal's reason as soon as it is aborted; `work` itself goes on, and a failure
 * of it after that is nobody's.
 */
export function abortable<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  if (signal.aborted) {
    work.catch(() => {});
    return Promise.reject(signal.reason);
  }
  return new Promise((resolve, reject) => {
    // One call waits for many requests at once; each listener goes when its request ends.
    setMaxListeners(0, signal);
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
