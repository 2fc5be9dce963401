import { homedir } from "node:os";
import { ConfigurationError, type Log, runMain, userFolder } from "@mcp-file-servers/core";
import { findEngine } from "@mcp-file-servers/sqlite";
import { createIndex } from "./adapters/create-index.ts";
import { indexFileOf } from "./adapters/index/index-file-of.ts";
import { keeperInWorker } from "./adapters/index/start-keeper.ts";
import { loadYamlParser } from "./adapters/load-yaml-parser.ts";
import { openVault } from "./adapters/open-vault.ts";
import { VaultFiles } from "./adapters/vault-files.ts";
import { loadEditingTools } from "./adapters/writing/load-editing-tools.ts";
import { stateFolderOf } from "./adapters/writing/state-folder.ts";
import { VaultWriter } from "./adapters/writing/vault-writer.ts";
import { app, readOnlyApp } from "./app.ts";
import { type Config, commandLine, parseConfig } from "./config.ts";

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
  const startKeeper = keeperInWorker(new URL("./index.worker.js", import.meta.url));
  const { index } = createIndex({ root, rules, file, okf, watch, startKeeper, now, warn });
  const reader = new VaultFiles(root, visibility);
  const stateFolder = stateFolderOf(userFolder("state", app.name, surroundings), root);
  const report = (message: string) => log.warn(message);
  const files = new VaultWriter({ root, visibility, stateFolder, now, loadYamlParser, report });
  if (files.isUnfinished) finish(files, readOnly, log);
  const deps = {
    index,
    reader,
    place,
    visibility,
    files,
    renames: files.renames,
    loadYamlParser,
    loadEditingTools,
  };
  return {
    app: readOnly ? readOnlyApp : app,
    deps,
    async close() {
      await Promise.all([index.close(), files.close()]);
    },
  };
}

/** Completes a rename that a crash cut short; a server that may not write leaves that to another. */
function finish(files: VaultWriter, readOnly: boolean, log: Log): void {
  if (readOnly) {
    log.warn("a rename was cut short by a crash; a server without --read-only completes it");
    return;
  }
  files
    .exclusively(new AbortController().signal, async () => {})
    .catch((error: unknown) => log.error("a rename that was cut short cannot be completed", { error }));
}

await runMain(process, { commandLine, start: (values, log) => start(parseConfig(values), log) });
