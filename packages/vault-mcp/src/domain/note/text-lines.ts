/** A line of a text, in UTF-16 units: `[start, end)` without its ending, `next` where the next line begins. */
export interface Line {
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

/**
 * The lines of a text; a line ends with LF, CRLF or CR, as in CommonMark. What follows the last ending is a line
 * only if there is anything: an empty text has none.
 */
export function splitLines(text: string, from = 0): Line[] {
  const lines: Line[] = [];
  let start = from;
  while (start < text.length) {
    const line = lineAt(text, start);
    lines.push(line);
    start = line.next;
  }
  return lines;
}

/** The line that begins at `start`. */
export function lineAt(text: string, start: number): Line {
  let end = start;
  while (end < text.length) {
    const unit = text.charCodeAt(end);
    if (unit === 0x0a) return { start, end, next: end + 1 };
    if (unit === 0x0d) return { start, end, next: text.charCodeAt(end + 1) === 0x0a ? end + 2 : end + 1 };
    end += 1;
  }
  return { start, end, next: end };
}
