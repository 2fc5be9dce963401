import { distance } from "fastest-levenshtein";
import { fold } from "./fold.ts";

/** More candidates are no help. */
export const mostNearest = 5;

/**
 * The candidates that were probably meant, the likeliest first: the same name elsewhere, then small differences,
 * then names that hold the wanted one or are held by it.
 *
 * @param nameOf what of a candidate is compared; the whole by default.
 */
export function nearest(
  wanted: string,
  candidates: Iterable<string>,
  most: number,
  nameOf: (candidate: string) => string = (candidate) => candidate,
): string[] {
  const name = fold(nameOf(wanted));
  if (name === "") return [];
  const limit = name.length < 4 ? Math.max(0, name.length - 2) : Math.max(2, Math.floor(name.length / 3));
  const scored: { candidate: string; score: number }[] = [];
  for (const candidate of candidates) {
    const other = fold(nameOf(candidate));
    const score = scoreOf(name, other, limit);
    if (score !== undefined) scored.push({ candidate, score });
  }
  scored.sort((a, b) => a.score - b.score || (a.candidate < b.candidate ? -1 : 1));
  return scored.slice(0, most).map(({ candidate }) => candidate);
}

function scoreOf(name: string, other: string, limit: number): number | undefined {
  if (name === other) return 0;
  const holds = other.length > 2 && name.length > 2 && (other.includes(name) || name.includes(other));
  if (Math.abs(name.length - other.length) <= limit) {
    const apart = distance(name, other);
    if (apart <= limit) return apart;
  }
  return holds ? limit + 1 : undefined;
}
