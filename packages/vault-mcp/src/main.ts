import { ConfigurationError, type Log, runMain } from "@mcp-file-servers/core";
import { createIndex } from "./adapters/create-index.ts";
import { loadYamlParser } from "./adapters/load-yaml-parser.ts";
import { openVault } from "./adapters/open-vault.ts";
import { VaultFiles } from "./adapters/vault-files.ts";
import { app } from "./app.ts";
import { type Config, commandLine, parseConfig } from "./config.ts";

function open({ vaultDir }: Config) {
  try {
    return openVault(vaultDir, process.platform);
  } catch (error) {
    throw new ConfigurationError(`VAULT_DIR: ${(error as Error).message}`);
  }
}

function start(config: Config, log: Log) {
  const { visibility, okf, watch } = config;
  const { root, place } = open(config);
  const warn = (message: string, error: unknown) => log.warn(message, { error });
  const index = createIndex({ root, visibility, okf, watch, now: () => new Date(), warn });
  const reader = new VaultFiles(root, visibility);
  const deps = { index, reader, place, visibility, loadYamlParser };
  return { app, deps, close: () => index.close() };
}

await runMain(process, { commandLine, start: (values, log) => start(parseConfig(values), log) });
