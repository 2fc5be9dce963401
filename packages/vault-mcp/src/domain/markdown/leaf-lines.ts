/** A run of backticks or tildes that opens a block of code. */
export interface Fence {
  readonly char: string;
  readonly length: number;
}

/** How many `#` begin the line of a heading, seen without its indent; undefined for another line. */
export function headingMarks(rest: string): number | undefined {
  return /^#{1,6}(?=[ \t]|$)/.exec(rest)?.[0].length;
}

export function fenceAt(rest: string): Fence | undefined {
  const run = /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(rest)?.[0];
  return run === undefined ? undefined : { char: run.charAt(0), length: run.length };
}

export function isClosingFence(rest: string, { char, length }: Fence): boolean {
  const run = rest.trimEnd();
  return run.length >= length && run === char.repeat(run.length);
}

/** Whether a line under a paragraph makes it a heading. */
export function isUnderline(rest: string): boolean {
  return /^(?:=+|-+)[ \t]*$/.test(rest);
}

/** Whether a line is a thematic break. */
export function isRule(rest: string): boolean {
  if (!/^([-_*])[ \t]*\1[ \t]*\1[-_* \t]*$/.test(rest)) return false;
  const mark = rest.charAt(0);
  return ["-", "_", "*"].every((other) => other === mark || !rest.includes(other));
}
