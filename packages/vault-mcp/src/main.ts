import { isBuiltin } from "node:module";
import { homedir } from "node:os";
import {
  type Access,
  ConfigurationError,
  holdHeap,
  type Log,
  runMain,
  type Served,
  userFolder,
} from "@mcp-file-servers/core";
import { findEngine } from "@mcp-file-servers/sqlite";
import { createIndex } from "./adapters/create-index.ts";
import { createLibrary } from "./adapters/create-library.ts";
import { indexFileOf } from "./adapters/index/index-file-of.ts";
import { keeperInWorker } from "./adapters/index/start-keeper.ts";
import { loadYamlParser } from "./adapters/load-yaml-parser.ts";
import { openVault } from "./adapters/open-vault.ts";
import { VaultFiles } from "./adapters/vault-files.ts";
import { loadEditingTools } from "./adapters/writing/load-editing-tools.ts";
import { stateFolderOf } from "./adapters/writing/state-folder.ts";
import { VaultWriter } from "./adapters/writing/vault-writer.ts";
import { app, readOnlyApp, withinFolders } from "./app.ts";
import { runCheck } from "./check-command.ts";
import { type Config, commandLine, parseConfig, scopes } from "./config.ts";
import { parseFolderScope } from "./domain/restrict/folder-scope.ts";
import { restrictDeps } from "./restrict-deps.ts";
import type { VaultDeps } from "./tools/define.ts";

function open({ vaultDir }: Config) {
  try {
    return openVault(vaultDir, process.platform);
  } catch (error) {
    throw new ConfigurationError(`VAULT_DIR: ${(error as Error).message}`);
  }
}

function start(config: Config, log: Log) {
  const { visibility, rules, okf, readOnly, watch } = config;
  if (findEngine() === undefined) {
    throw new ConfigurationError(
      "this Node has no SQLite: use Node 22.13 or newer, or npx -y -p libsql@0.5 -p vault-mcp vault-mcp …",
    );
  }
  const { root, place } = open(config);
  const warn = (message: string, error: unknown) => log.warn(message, { error });
  const now = () => new Date();
  const { env, platform } = process;
  const surroundings = { env, platform, home: homedir() };
  const file = indexFileOf(userFolder("cache", app.name, surroundings), config.indexFile, root, rules);
  const startKeeper = keeperInWorker(new URL("./index.worker.js", import.meta.url), holdHeap);
  const created = createIndex({ root, rules, file, okf, watch, startKeeper, now, warn });
  const { index } = created;
  const reader = new VaultFiles(root, visibility);
  const stateFolder = stateFolderOf(userFolder("state", app.name, surroundings), root);
  const report = (message: string) => log.warn(message);
  const writing = { root, stateFolder, now, loadYamlParser, report };
  const files = new VaultWriter({ ...writing, visibility });
  if (files.isUnfinished) finish(files, readOnly, log);
  const served = readOnly ? readOnlyApp : app;
  const deps: VaultDeps = {
    ...createLibrary(created, now),
    index,
    reader,
    place,
    visibility,
    files,
    renames: files.renames,
    loadYamlParser,
    loadEditingTools,
    about: { version: served.version, readOnly },
  };
  const limited = new Map<string, VaultDeps>();
  return {
    app: served,
    deps,
    restrict({ scope: { folders } }: Access): Served<VaultDeps> {
      if (folders === undefined) return { app: served, deps };
      const scope = parseFolderScope(Array.isArray(folders) ? folders.map(String) : []);
      const name = JSON.stringify(scope);
      const own =
        limited.get(name) ??
        restrictDeps(deps, scope, {
          ...createLibrary(created, now, scope),
          reader: (within) => new VaultFiles(root, within),
          writer: (within) => new VaultWriter({ ...writing, visibility: within }),
        });
      limited.set(name, own);
      return { app: withinFolders(served), deps: own };
    },
    async readiness() {
      const { state, indexed, found } = await index.ready(0, new AbortController().signal);
      const reasons = state === "ready" ? [] : [`indexed ${indexed} of ${found} files`];
      return { ready: state === "ready", reasons };
    },
    async gauges() {
      const { signal } = new AbortController();
      const { stale } = await index.ready(0, signal);
      const { notes, attachments } = await deps.survey.counts(signal);
      return {
        vault_notes: notes,
        vault_attachments: attachments,
        vault_index_stale: Number(stale),
        vault_index_pending_changes: index.health().pending,
      };
    },
    async close() {
      await Promise.all([index.close(), files.close()]);
    },
  };
}

/** Puts right what a crash cut short; a server that may not write leaves that to another. */
function finish(files: VaultWriter, readOnly: boolean, log: Log): void {
  if (readOnly) {
    log.warn("a change was cut short by a crash; a server without --read-only completes it");
    return;
  }
  files
    .exclusively(new AbortController().signal, async () => {})
    .catch((error: unknown) => log.error("a change that was cut short cannot be completed", { error }));
}

await runMain(process, {
  commandLine: isBuiltin("node:sqlite") ? commandLine : { ...commandLine, beside: ["libsql@0.5"] },
  scopes,
  start: (values, log) => start(parseConfig(values), log),
  async command({ values, args: [vaultDir = values.vaultDir] }, terminal, log) {
    // One look is enough, and nothing is written.
    const config = parseConfig({ ...values, vaultDir, readOnly: true, watch: "off" });
    const { deps, close } = start(config, log);
    try {
      return await runCheck(deps, terminal, async () => (await import("cli-progress")).default);
    } finally {
      await close();
    }
  },
});
