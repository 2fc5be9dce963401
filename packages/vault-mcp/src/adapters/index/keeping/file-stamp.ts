import type { Stats } from "node:fs";

/** A change within this time after another may leave a file's times as they were, milliseconds. */
const settlesAfterMs = 2_000;

/** Marks the stamp of a file that had changed just before: it does not tell of a change that came right after. */
const unsettled = "?";

/** What tells whether a file changed: size, times and inode. */
export function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats, now: Date): string {
  const stamp = plainStamp(size, mtimeMs, ctimeMs, ino);
  // Either way: clocks are set, and a time to come is not one that a change now would have.
  const isSettled = Math.abs(now.getTime() - Math.max(mtimeMs, ctimeMs)) > settlesAfterMs;
  return isSettled ? stamp : `${stamp}${unsettled}`;
}

/** Whether a file is for sure the one that was read when it had that stamp. */
export function isUnchanged({ size, mtimeMs, ctimeMs, ino }: Stats, stamp: string): boolean {
  return stamp === plainStamp(size, mtimeMs, ctimeMs, ino);
}

/** Whether it is in all likelihood: a change right after another may have left the file's times as they were. */
export function seemsUnchanged(stat: Stats, stamp: string): boolean {
  return isUnchanged(stat, stamp.endsWith(unsettled) ? stamp.slice(0, -unsettled.length) : stamp);
}

function plainStamp(size: number, mtimeMs: number, ctimeMs: number, ino: number): string {
  return `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
}
