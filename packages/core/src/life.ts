import type { Log } from "./log.ts";

/** Milliseconds: how long requests under way may still be answered, and when the process kills itself. */
export interface Patience {
  readonly lastAnswers: number;
  readonly kill: number;
}

/** At the end of input whoever piped requests in wants their answers; it still ends within a second. */
export const atEndOfInput: Patience = { lastAnswers: 500, kill: 950 };

export const atOnce: Patience = { lastAnswers: 0, kill: 700 };

/** Over HTTP others wait for answers; nobody who stopped the server waits for the end of its input. */
export const afterRequests: Patience = { lastAnswers: 5_000, kill: 6_000 };

/**
 * Ends the process on signals and when the returned function is called: `close` gets the time that requests under way
 * may still take, then the process exits with 0. It kills itself when that does not come to an end.
 */
export function endBySignals(
  host: NodeJS.Process,
  log: Log,
  onSignal: Patience,
  close: (lastAnswersMs: number) => Promise<void>,
): (reason: string, patience: Patience) => void {
  let stopping = false;
  async function end(reason: string, { lastAnswers, kill }: Patience): Promise<void> {
    log.debug(`stopping: ${reason}`);
    // A worker inside a database statement cannot be interrupted, and exit() would wait for it. State is transactional.
    setTimeout(() => host.kill(host.pid, "SIGKILL"), kill);
    await close(lastAnswers);
    await new Promise<void>((resolve) => host.stdout.write("", () => resolve()));
    host.exit(0);
  }
  function stop(reason: string, patience: Patience): void {
    if (stopping) return;
    stopping = true;
    end(reason, patience).catch((error) => {
      log.error("stopping failed", { error });
      host.exit(1);
    });
  }
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    host.on(signal, () => stop(signal, onSignal));
  host.on("unhandledRejection", (error) => log.error("unhandled rejection", { error }));
  host.on("uncaughtException", (error) => {
    log.error("uncaught exception", { error });
    host.exit(1);
  });
  return stop;
}

/** Waits for a promise, but no longer than a time. */
export async function atMost(milliseconds: number, promise: Promise<unknown>): Promise<void> {
  await Promise.race([promise, new Promise((resolve) => setTimeout(resolve, milliseconds).unref())]);
}
