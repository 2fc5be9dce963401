/** Finds the end of the next mark from a place on; undefined where there is none. */
export type FindMark = (mark: string, from: number) => number | undefined;

/** A finder that remembers where a mark is next, so that many openings of what is never closed take no long time. */
export function markFinder(text: string): FindMark {
  const known = new Map<string, number>();
  return (mark, from) => {
    let at = known.get(mark);
    if (at === undefined || at < from) {
      const found = text.indexOf(mark, from);
      at = found < 0 ? Number.POSITIVE_INFINITY : found;
      known.set(mark, at);
    }
    return at === Number.POSITIVE_INFINITY ? undefined : at + mark.length;
  };
}
