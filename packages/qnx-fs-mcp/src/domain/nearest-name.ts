import { distance } from "fastest-levenshtein";

/** The known name that was probably meant by a misspelt one; case does not count. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const given = name.trim().toLowerCase();
  return known
    .map((each) => ({ each, edits: distance(each.toLowerCase(), given) }))
    .filter(({ each, edits }) => edits <= Math.min(each.length - 1, Math.max(2, each.length / 3)))
    .sort((a, b) => a.edits - b.edits)[0]?.each;
}
