import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLibrary } from "../../src/adapters/create-library.ts";
import type { IndexConnection } from "../../src/adapters/index/answering/index-snapshot.ts";
import { loadYamlParser } from "../../src/adapters/load-yaml-parser.ts";
import { VaultFiles } from "../../src/adapters/vault-files.ts";
import { loadEditingTools } from "../../src/adapters/writing/load-editing-tools.ts";
import { VaultWriter, type WriterSettings } from "../../src/adapters/writing/vault-writer.ts";
import { app } from "../../src/app.ts";
import { createVisibility, defaultAttachments } from "../../src/domain/visibility.ts";
import type { VaultDeps } from "../../src/tools/define.ts";
import { type IndexSetup, openIndex } from "./open-index.ts";

/** Any answer of a tool: a page's entries stand in `entries`, its other fields beside them. */
// biome-ignore lint/suspicious/noExplicitAny: the tools' answers have many shapes.
export type AnyAnswer = any;

export interface OpenedTools {
  readonly deps: VaultDeps;
  readonly connection: IndexConnection;
  /** What another writer of the vault needs besides its rules. */
  readonly writing: Omit<WriterSettings, "visibility">;
  /** What a tool answers with; of a paged one the entries themselves, the fields, `more` and `note`. */
  call(name: string, args?: Record<string, unknown>): Promise<AnyAnswer>;
  close(): Promise<void>;
}

/** The tools over the real index and files of a folder, without a server. */
export function openTools(root: string, setup: IndexSetup = {}): OpenedTools {
  const stateFolder = mkdtempSync(join(tmpdir(), "vault-mcp-state-"));
  const { index, connection } = openIndex(root, setup);
  const now = setup.now ?? (() => new Date());
  const visibility = createVisibility({ exclude: [], attachments: defaultAttachments, ...setup.rules });
  const writing = { root, stateFolder, now, loadYamlParser, report: () => {} };
  const files = new VaultWriter({ ...writing, visibility });
  const deps: VaultDeps = {
    ...createLibrary({ index, connection }, now),
    index,
    reader: new VaultFiles(root, visibility),
    place: { roots: [root], windows: false },
    visibility,
    files,
    renames: files.renames,
    loadYamlParser,
    loadEditingTools,
    about: { version: "0", readOnly: false },
  };
  const { signal } = new AbortController();
  return {
    deps,
    connection,
    writing,
    async call(name, args = {}) {
      const tool = app.tools.find((one) => one.name === name);
      if (tool === undefined) throw new Error(`no tool ${name}`);
      const context = { signal, budget: 40_000, client: "test", progress: () => {} };
      const answer = await tool.run(tool.input.parse(args), deps, {
        ...context,
        after: undefined,
        walk: undefined,
      });
      if (!("entries" in answer)) return answer;
      const { entries, fields, more, note } = answer;
      const list = entries.map(({ entry }: { entry: unknown }) => entry);
      return {
        entries: list,
        ...(typeof fields === "function" ? fields({ returned: list.length, more }) : fields),
        more,
        note,
      };
    },
    async close() {
      await Promise.all([index.close(), files.close()]);
      rmSync(stateFolder, { recursive: true, force: true });
    },
  };
}
