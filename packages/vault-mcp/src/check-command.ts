import type { Terminal } from "@mcp-file-servers/core";
import type { Presets, SingleBar } from "cli-progress";
import { checkVault, describeFaults } from "./domain/check/check-vault.ts";
import type { DocumentIndex } from "./domain/document-index.ts";
import type { VaultGraph } from "./domain/graph/vault-graph.ts";
import type { VaultSurvey } from "./domain/survey/vault-survey.ts";

/** What draws a bar; loaded for a terminal alone. */
export interface BarLibrary {
  readonly SingleBar: typeof SingleBar;
  readonly Presets: typeof Presets;
}

/**
 * Carries out `check VAULT_DIR`: prints the faults to stdout, a bar to stderr where that is a terminal.
 *
 * @returns the exit code: 1 where anything is wrong.
 */
export async function runCheck(
  library: { index: DocumentIndex; survey: VaultSurvey; graph: VaultGraph },
  { stdout, stderr, signal }: Terminal,
  loadBars: () => Promise<BarLibrary>,
): Promise<number> {
  const bar = stderr.isTTY ? await startBar(stderr, loadBars) : undefined;
  try {
    const faults = await checkVault(library, signal, (indexed, found) => {
      bar?.setTotal(found);
      bar?.update(indexed);
    });
    bar?.stop();
    for (const line of describeFaults(faults)) stdout.write(`${line}\n`);
    return faults.notes.length + faults.links.length > 0 ? 1 : 0;
  } finally {
    bar?.stop();
  }
}

async function startBar(stream: NodeJS.WriteStream, loadBars: () => Promise<BarLibrary>): Promise<SingleBar> {
  const { SingleBar: Bar, Presets: presets } = await loadBars();
  const format = "Reading {bar} {value} of {total} files";
  const bar = new Bar({ format, stream, hideCursor: true, clearOnComplete: true }, presets.rect);
  bar.start(0, 0);
  return bar;
}
