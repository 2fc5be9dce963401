import { quote } from "@mcp-file-servers/core";
import { displayPath } from "../domain/raw-name.ts";
import type { WalkReport } from "../domain/searching/walk-tree.ts";

/** What to know of a walk through a tree: what was left out, and whether it ended on its budget. */
export function walkNotes(report: WalkReport, goOn: string): readonly string[] {
  const { stopped, last, entries, unreadable, unreadableCount, skipped } = report;
  const others = unreadableCount - unreadable.length;
  return [
    stopped && last !== undefined
      ? [`It ended on its budget after ${entries} entries, at ${quote(displayPath(last).text)}: ${goOn}.`]
      : [],
    unreadableCount > 0
      ? [
          `Directories that could not be read: ${unreadable.map(quote).join(", ")}${others > 0 ? ` and ${others} others` : ""}.`,
        ]
      : [],
    skipped.length > 0 ? [`Not entered: ${skipped.join(", ")}.`] : [],
  ].flat();
}
