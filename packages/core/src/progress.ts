/** How far a call is, as `notifications/progress` carries it. */
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** A tool may report every step; a client needs to hear a few times a second. */
const shortestIntervalMs = 100;

/**
 * Passes reports on: rising ones alone, as the protocol demands, and not more than ten a second, but always the one
 * that says that all is done.
 */
export function thinProgress(
  send: (progress: Progress) => void,
  now: () => number,
): (done: number, total?: number, message?: string) => void {
  let reported = Number.NEGATIVE_INFINITY;
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (done, total, message) => {
    const isEarly = now() - reportedAt < shortestIntervalMs && done !== total;
    if (done <= reported || isEarly) return;
    reported = done;
    reportedAt = now();
    send({ progress: done, total, message });
  };
}
