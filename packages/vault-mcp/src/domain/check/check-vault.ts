import type { DocumentIndex, ProgressReport } from "../document-index.ts";
import type { CheckPosition, GraphLink, VaultGraph } from "../graph/vault-graph.ts";
import type { BrokenNote, VaultCounts, VaultSurvey } from "../survey/vault-survey.ts";

/** What is wrong in a vault. */
export interface VaultFaults {
  readonly counts: VaultCounts;
  readonly notes: readonly BrokenNote[];
  /** Links that lead to no file, or to a note that has no such heading or block. */
  readonly links: readonly GraphLink[];
}

const pageSize = 1_000;

/** As long as it takes: whoever started the check can end it. */
const noLimitMs = 2 ** 31 - 1;

/**
 * Looks at the whole vault as it is on the disk now.
 *
 * @throws VaultError VAULT_UNREADABLE, the signal's reason.
 */
export async function checkVault(
  { index, survey, graph }: { index: DocumentIndex; survey: VaultSurvey; graph: VaultGraph },
  signal: AbortSignal,
  report?: ProgressReport,
): Promise<VaultFaults> {
  await index.settle(noLimitMs, signal, report);
  const counts = await survey.counts(signal);
  const notes: BrokenNote[] = [];
  for (;;) {
    const page = await survey.brokenNotes(notes.at(-1)?.path, pageSize);
    notes.push(...page.notes);
    if (page.notes.length === 0) break;
  }
  const links: GraphLink[] = [];
  for (let after: CheckPosition | undefined; ; ) {
    const page = await graph.check({ kind: "broken", folder: undefined, after, limit: pageSize }, signal);
    for (const { path, link } of page.found) {
      if (link !== undefined) links.push(link);
      after = { path, id: link?.id ?? 0 };
    }
    if (!page.more) return { counts, notes, links };
  }
}

/** The lines that tell what is wrong, and at last how much was looked at. */
export function* describeFaults({ counts, notes, links }: VaultFaults): Generator<string> {
  if (notes.length > 0) yield `Notes that cannot be parsed: ${notes.length}`;
  for (const { path, line, message } of notes) yield `  ${plain(path)}:${line}  ${plain(message)}`;
  if (links.length > 0) yield `Broken links: ${links.length}`;
  for (const { source, line, text, target, exists, heading, block } of links) {
    const fragment = block === undefined ? `#${heading}` : `#^${block}`;
    yield `  ${plain(source)}:${line}  ${plain(text)} -> ${plain(exists ? target + fragment : target)}`;
  }
  const faults =
    notes.length + links.length === 0
      ? "nothing is wrong"
      : `${plural(notes.length, "broken note")}, ${plural(links.length, "broken link")}`;
  yield `Checked ${plural(counts.notes, "note")} and ${plural(counts.attachments, "attachment")}: ${faults}.`;
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** Names come from the disk: what would move the cursor or colour the terminal is left out. */
function plain(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, " ")
    .slice(0, 500);
}
