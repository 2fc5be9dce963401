/** For each run of backticks that opens a code span, where the span ends: after the next run of the same length. */
export function codeSpanEnds(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  if (!text.includes("`")) return ends;
  const later = new Map<number, number>();
  for (const { index, 0: run } of [...text.matchAll(/`+/g)].reverse()) {
    const next = later.get(run.length);
    if (next !== undefined) ends.set(index, next + run.length);
    later.set(run.length, index);
  }
  return ends;
}
