// biome-ignore lint/style/noRestrictedImports: a clock, as performance is one
import { cpuUsage } from "node:process";
import { createContext, Script } from "node:vm";

/** Tells how much time has passed, milliseconds from any beginning. */
export interface WorkClock {
  /** By the wall. */
  passed(): number;
  /** That processors have spent on this process. */
  worked(): number;
}

const systemClock: WorkClock = {
  passed: () => performance.now(),
  worked: () => {
    const { user, system } = cpuUsage();
    return (user + system) / 1000;
  },
};

/** On a machine that is busy with other work, the same work may take so many times as long. */
const mostSlowdown = 8;

/**
 * Runs `job` and stops it, even inside a regular expression, when it has worked for `limitMs`. Where other programs had
 * the processor meanwhile, it is called again to go on where it was stopped.
 *
 * @returns whether it came to its end.
 */
export function withinTime(limitMs: number, job: () => void, clock: WorkClock = systemClock): boolean {
  const script = new Script("job()");
  const context = createContext({ job });
  const [passed, worked] = [clock.passed(), clock.worked()];
  do {
    try {
      script.runInContext(context, { timeout: limitMs });
      return true;
    } catch (error) {
      // The error comes from the context's own realm, so it is no instance of this realm's Error.
      if ((error as { code?: unknown } | undefined)?.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    }
  } while (clock.worked() - worked < limitMs && clock.passed() - passed < limitMs * mostSlowdown);
  return false;
}
