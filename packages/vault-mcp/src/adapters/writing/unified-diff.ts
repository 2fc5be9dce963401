import { type StructuredPatchHunk, structuredPatch } from "diff";
import type { DiffTexts } from "../../domain/writing/diff-texts.ts";

const context = 3;
/** Lines that may differ; beyond that everything between the first and the last difference is one hunk. */
const mostEdits = 2_000;

/** Unified diffs by the `diff` package. */
export const diffTexts: DiffTexts = (path, before, after, room) => {
  if (before === after) return { text: "", isCut: false };
  const patch = structuredPatch(path, path, before, after, undefined, undefined, {
    context,
    maxEditLength: mostEdits,
  });
  const hunks = patch?.hunks ?? [wholeHunk(before, after)];
  let text = `--- ${path}\n+++ ${path}\n`;
  for (const hunk of hunks) {
    const printed = printHunk(hunk);
    if (text.length + printed.length > room) return { text, isCut: true };
    text += printed;
  }
  return { text, isCut: false };
};

function printHunk({ oldStart, oldLines, newStart, newLines, lines }: StructuredPatchHunk): string {
  // A side without lines counts from the line before. Source: GNU diffutils, Detailed Unified.
  const start = (line: number, count: number) => (count === 0 ? line - 1 : line);
  const range = (line: number, count: number) => (count === 1 ? `${line}` : `${start(line, count)},${count}`);
  const head = `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`;
  return `${[head, ...lines].join("\n")}\n`;
}

/** The lines between what both texts begin and end with, as one hunk. */
function wholeHunk(before: string, after: string): StructuredPatchHunk {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let first = 0;
  while (first < old.length && first < now.length && old[first] === now[first]) first += 1;
  let behind = 0;
  const shorter = Math.min(old.length, now.length) - first;
  while (behind < shorter && old[old.length - 1 - behind] === now[now.length - 1 - behind]) behind += 1;
  const removed = old.slice(first, old.length - behind);
  const added = now.slice(first, now.length - behind);
  return {
    oldStart: first + 1,
    oldLines: removed.length,
    newStart: first + 1,
    newLines: added.length,
    lines: [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)],
  };
}
