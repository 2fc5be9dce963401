import { isQnxFsError } from "../errors.ts";
import { lstatIfThere } from "../lstat-if-there.ts";
import type { OpenTarget } from "../targets.ts";

/** Milliseconds that finding out and tidying up may take, connecting again included. */
const recoveryMs = 10_000;
/** Milliseconds in which a target does what it had heard before the line was cut. */
export const settleMs = 250;

/** What it takes to look at a target again after a failure. */
export interface Recovery {
  /** Opens the target anew after the line was lost. */
  readonly reopen: (signal: AbortSignal) => Promise<OpenTarget>;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Whether a failure leaves open what the target did last. */
export function isLost(error: unknown): boolean {
  return isQnxFsError(error, "CONNECTION_LOST", "HANDSHAKE_FAILED");
}

/**
 * Looks at a target after a change on it failed, also where the call was cancelled: over a new connection where the
 * line was lost, once, and within 10 s.
 */
export async function lookAgain<Found>(
  target: OpenTarget,
  error: unknown,
  { reopen, sleep }: Recovery,
  look: (now: OpenTarget, signal: AbortSignal) => Promise<Found>,
): Promise<Found> {
  const bounded = AbortSignal.timeout(recoveryMs);
  if (!isLost(error)) return look(target, bounded);
  const now = await reopen(bounded);
  await sleep(settleMs, bounded);
  return look(now, bounded);
}

/** Whether anything is at a path; links are not followed. */
export async function isThere(
  { files }: OpenTarget,
  realPath: string,
  signal: AbortSignal,
): Promise<boolean> {
  return (await lstatIfThere(files, realPath, signal)) !== undefined;
}
