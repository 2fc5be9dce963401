import { maskProse, type Prose } from "./prose.ts";

/** A block that links can name; the line counts from 1 in the file. */
export interface NoteBlock {
  /** Without `^`. */
  readonly id: string;
  readonly line: number;
}

/** The blocks of a body that have an id, `linesBefore` lines of the file standing before it. */
export function findBlocks(prose: Prose, linesBefore: number): NoteBlock[] {
  if (!prose.text.includes("^")) return [];
  const masked = maskProse(prose);
  return prose.lines.flatMap(({ start, end }, index) => {
    if (prose.kinds[index] !== "text" || !prose.text.slice(start, end).includes("^")) return [];
    const marks = masked.slice(start, end).matchAll(/(?:^|\s)\^([A-Za-z0-9-]+)(?=\s*$|\s*\|)/g);
    return Array.from(marks, ([, id = ""]) => ({ id, line: linesBefore + index + 1 }));
  });
}
