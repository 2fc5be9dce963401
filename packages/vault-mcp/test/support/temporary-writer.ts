import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadYamlParser } from "../../src/adapters/load-yaml-parser.ts";
import { VaultFiles } from "../../src/adapters/vault-files.ts";
import { VaultWriter } from "../../src/adapters/writing/vault-writer.ts";
import { createVisibility, defaultAttachments } from "../../src/domain/visibility.ts";
import type { WholeFile } from "../../src/domain/writing/note-files.ts";
import { type TemporaryVault, temporaryVault } from "./temporary-vault.ts";

export interface TemporaryWriter {
  readonly vault: TemporaryVault;
  readonly stateFolder: string;
  readonly writer: VaultWriter;
  /** What writers said of what they put right. */
  readonly reports: readonly string[];
  /** Another writer of the same vault, as another server has it. */
  another(): VaultWriter;
  read(path: string): Promise<WholeFile>;
  /** Text on the disk. */
  text(path: string): string;
  /** Everything in the vault, hidden files too. */
  everything(): string[];
  dispose(): Promise<void>;
}

/** A vault on the real file system with what changes it. */
export function temporaryWriter(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  { now = () => new Date(), exclude = [] as readonly string[] } = {},
): TemporaryWriter {
  const vault = temporaryVault(files);
  const stateFolder = mkdtempSync(join(tmpdir(), "vault-mcp-state-"));
  const visibility = createVisibility({ exclude, attachments: defaultAttachments });
  const reader = new VaultFiles(vault.root, visibility);
  const writers: VaultWriter[] = [];
  const reports: string[] = [];
  const report = (message: string) => reports.push(message);
  const another = () => {
    const writer = new VaultWriter({
      root: vault.root,
      visibility,
      stateFolder,
      now,
      loadYamlParser,
      report,
    });
    writers.push(writer);
    return writer;
  };
  return {
    vault,
    stateFolder,
    writer: another(),
    reports,
    another,
    async read(path) {
      const file = await reader.read(path, path, 50_000_000);
      if (file?.bytes === undefined) throw new Error(`no ${path}`);
      return { ...file, bytes: file.bytes };
    },
    text: (path) => readFileSync(join(vault.root, path), "utf8"),
    everything: () => readdirSync(vault.root, { recursive: true }).map(String).sort(),
    async dispose() {
      for (const writer of writers) await writer.close();
      vault.dispose();
      rmSync(stateFolder, { recursive: true, force: true });
    },
  };
}

/** What a promise is rejected with, as code and details. */
export async function failureOf(promise: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await promise;
  } catch (error) {
    const { code, details, message } = error as { code?: string; details?: object; message: string };
    return { code, message, ...details };
  }
  throw new Error("it did not fail");
}
