import type { DiffTexts } from "../domain/diff-texts.ts";

/** Milliseconds after which two texts are too unlike to be compared. */
const mostTime = 1_000;

/** By the diff library, which is loaded on first use. */
export const diffTexts: DiffTexts = async (path, before, after, room) => {
  const { structuredPatch } = await import("diff");
  const patch = structuredPatch(path, path, before, after, "", "", { context: 3, timeout: mostTime });
  if (patch === undefined) return { text: "", isCut: true };
  let text = `--- ${path}\n+++ ${path}\n`;
  for (const { oldStart, oldLines, newStart, newLines, lines } of patch.hunks) {
    const head = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`;
    const hunk = `${[head, ...lines].join("\n")}\n`;
    if (text.length + hunk.length > room) return { text, isCut: true };
    text += hunk;
  }
  return { text: patch.hunks.length === 0 ? "" : text, isCut: false };
};
