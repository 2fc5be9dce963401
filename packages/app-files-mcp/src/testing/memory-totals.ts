import type { CheckReport, StoreTotals } from "../domain/check.ts";
import type { MemoryCore } from "./memory-core.ts";
import { usageOf } from "./memory-state.ts";

/** Contents by SHA-256, chunks of uploads included. */
function sizesOf({ apps, uploads }: MemoryCore): Map<string, number> {
  const sizes = uploads.sizes();
  for (const app of apps.values()) {
    for (const { content } of [...app.files.values()].flatMap(({ versions }) => versions)) {
      if (content !== undefined) sizes.set(content.facts.sha256, content.facts.size);
    }
  }
  return sizes;
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, number) => total + number, 0);

export function totalsOf(core: MemoryCore): StoreTotals {
  const usages = [...core.apps.values()].map(usageOf);
  return {
    apps: usages.filter(({ count, historyBytes }) => count + historyBytes > 0).length,
    files: sum(usages.map(({ count }) => count)),
    bytes: sum(usages.map(({ bytes }) => bytes)),
    historyBytes: sum(usages.map(({ historyBytes }) => historyBytes)),
    physicalBytes: sum(sizesOf(core).values()),
    uploads: core.uploads.count(),
  };
}

/** What is in memory is never damaged. */
export function checkInMemory(core: MemoryCore): CheckReport {
  const sizes = sizesOf(core);
  return {
    contents: sizes.size,
    bytes: sum(sizes.values()),
    damaged: [],
    damagedChunks: [],
    database: [],
    repaired: [],
  };
}
