import { addSizes } from "../add-sizes.ts";
import type { RawName } from "../raw-name.ts";
import type { Place } from "../roots.ts";
import type { Clock, SearchBudget } from "./budget.ts";
import { newWalkReport, type WalkReport, walkTree } from "./walk-tree.ts";

/** What one entry of a directory holds, with all below it. */
export interface Measured {
  readonly name: RawName;
  bytes: number;
  files: number;
}

export interface MeasuredTree {
  readonly bytes: number;
  readonly files: number;
  readonly directories: number;
  /** The directory's own entries, the largest ones first. */
  readonly parts: readonly Measured[];
  readonly report: WalkReport;
}

/** Adds up the sizes of the files below a real directory, within a budget. Links count nothing. */
export async function measureTree(
  place: Place,
  realPath: string,
  { budget, now, progress }: { budget: SearchBudget; now: Clock; progress: (entries: number) => void },
  signal: AbortSignal,
): Promise<MeasuredTree> {
  const until = now() + budget.ms;
  const enough = (entries: number): boolean => entries >= budget.entries || now() >= until;
  const report = newWalkReport();
  const parts = new Map<string, Measured>();
  let files = 0;
  let directories = 0;
  for await (const { path, entry } of walkTree(place, realPath, { enough }, report, signal)) {
    const [name] = path.split("/") as [RawName];
    const part = parts.get(name) ?? { name, bytes: 0, files: 0 };
    parts.set(name, part);
    if (entry.type === "dir") directories++;
    if (entry.type === "file" || entry.detail === "shm") {
      part.bytes = addSizes(part.bytes, entry.size ?? 0);
      part.files++;
      files++;
    }
    if (report.entries % 100 === 0) progress(report.entries);
  }
  const sorted = [...parts.values()].sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1));
  const bytes = sorted.reduce((sum, part) => addSizes(sum, part.bytes), 0);
  return { bytes, files, directories, parts: sorted, report };
}
