/**
 * Tells where the code span ends that a run of backticks opens at a place: after the next run of the same length;
 * undefined where there is none. It is asked for places in ascending order, and takes time linear to the text in all.
 */
export function codeSpanFinder(text: string): (at: number) => number | undefined {
  const runs = new Map<number, { readonly starts: number[]; next: number }>();
  for (const { index, 0: run } of text.matchAll(/`+/g)) {
    const known = runs.get(run.length);
    if (known === undefined) runs.set(run.length, { starts: [index], next: 0 });
    else known.starts.push(index);
  }
  return (at) => {
    const length = runEnd(text, at) - at;
    const same = runs.get(length);
    if (same === undefined) return undefined;
    while ((same.starts[same.next] ?? Number.POSITIVE_INFINITY) <= at) same.next += 1;
    const closing = same.starts[same.next];
    return closing === undefined ? undefined : closing + length;
  };
}

/** Where a run of backticks ends. */
export function runEnd(text: string, at: number): number {
  let end = at;
  while (text[end] === "`") end += 1;
  return end;
}
