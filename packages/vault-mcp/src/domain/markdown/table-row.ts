import type { Range } from "./mapped-text.ts";

/**
 * The cells of a table's row, without the spaces around them. A `\|` parts no cells; nor does the pipe of a wikilink,
 * which people write without a backslash.
 */
export function splitRow(line: string): Range[] {
  const cells: Range[] = [];
  let start = 0;
  const marks = /\\.|\[\[[^[\]|]*\|[^[\]|]*\]\]|\|/g;
  const close = (end: number) => {
    const raw = line.slice(start, end);
    const from = start + (raw.length - raw.trimStart().length);
    cells.push({
      start: Math.min(from, end),
      end: Math.max(Math.min(from, end), start + raw.trimEnd().length),
    });
  };
  for (const { 0: mark, index } of line.matchAll(marks)) {
    if (mark !== "|") continue;
    // The pipe at the start of a line opens the first cell.
    if (line.slice(0, index).trim() !== "" || cells.length > 0) close(index);
    start = index + 1;
  }
  if (line.slice(start).trim() !== "") close(line.length);
  return cells;
}

/** The number of columns that a delimiter row (`|---|:-:|`) declares; undefined for what is none. */
export function delimiterColumns(line: string): number | undefined {
  if (!/^[ \t]*[|:-][-|: \t]*$/.test(line) || !/[|:]/.test(line)) return undefined;
  const cells = splitRow(line);
  const valid = cells.length > 0 && cells.every(({ start, end }) => /^:?-+:?$/.test(line.slice(start, end)));
  return valid ? cells.length : undefined;
}
