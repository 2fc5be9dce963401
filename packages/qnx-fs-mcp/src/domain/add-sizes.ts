/** A sum of sizes in bytes that stays a whole number for every reader, whatever a target claims. */
export function addSizes(sum: number, size: number): number {
  return Math.min(sum + size, Number.MAX_SAFE_INTEGER);
}
