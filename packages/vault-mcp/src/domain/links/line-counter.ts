import { splitLines } from "../note/text-lines.ts";

/** Tells the line of a position, from 1; the lines are looked for when first asked. */
export function lineCounter(text: string): (at: number) => number {
  let starts: number[] | undefined;
  return (at) => {
    starts ??= splitLines(text).map(({ start }) => start);
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return Math.max(low, 1);
  };
}
