import type { DocumentIndex, IndexProgress, ProgressReport } from "../document-index.ts";
import type { BrokenNote, VaultCounts, VaultSurvey } from "./vault-survey.ts";

/** How a server stands. */
export interface VaultStatus {
  readonly counts: VaultCounts;
  readonly progress: IndexProgress;
  readonly broken: readonly BrokenNote[];
  readonly brokenTotal: number;
}

/** A status that waits for the whole index would not tell how far it is. */
const firstIndexMs = 1_000;

const mostBroken = 100;

export async function describeVault(
  { index, survey }: { readonly index: DocumentIndex; readonly survey: VaultSurvey },
  signal: AbortSignal,
  report?: ProgressReport,
): Promise<VaultStatus> {
  const progress = await index.ready(firstIndexMs, signal, report);
  const counts = await survey.counts(signal);
  const { notes, total } = await survey.brokenNotes(undefined, mostBroken);
  return { counts, progress, broken: notes, brokenTotal: total };
}
