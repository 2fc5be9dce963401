import { distance } from "fastest-levenshtein";

/** Names compared at most: beyond, only the first are looked at, so that a message never costs much. */
const compared = 1_000;

/** Names that a message tells. */
export const nearestShown = 3;

/** The few names that are most like a given one, for messages. */
export function nearestNames(name: string, names: readonly string[], most = nearestShown): string[] {
  const folded = name.toLowerCase();
  return names
    .slice(0, compared)
    .map((candidate) => ({ candidate, far: distanceOf(folded, candidate.toLowerCase()) }))
    .filter(({ far }) => far <= Math.max(2, folded.length / 2))
    .sort((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/** A name that contains the other is near, whatever their lengths. */
function distanceOf(a: string, b: string): number {
  if (a === b) return 0;
  if (a.length > 2 && b.length > 2 && (a.includes(b) || b.includes(a))) return 1;
  return distance(a, b);
}
