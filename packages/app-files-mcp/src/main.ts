import { randomBytes, randomUUID } from "node:crypto";
import { isBuiltin } from "node:module";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { type Log, runMain, type Values } from "@mcp-file-servers/core";
import { diffTexts } from "./adapters/diff-texts.ts";
import { createLocalFolders } from "./adapters/local-folders.ts";
import { createMimeDetector } from "./adapters/mime-detector.ts";
import { createSqliteStore } from "./adapters/sqlite/sqlite-store.ts";
import { startMaintenance } from "./adapters/start-maintenance.ts";
import { offer } from "./app.ts";
import { checkSurroundings } from "./check-surroundings.ts";
import { commandLine, parseConfig } from "./config.ts";
import { gaugesOf, readinessOf } from "./health.ts";
import { fileRoutes } from "./http/file-routes.ts";
import { linkRoutes } from "./http/link-routes.ts";
import { restrict, scopes } from "./restrict.ts";

/** Checks the settings and builds what servers and commands work with. */
async function prepare(values: Values<typeof commandLine.options>, log: Log) {
  const { env, platform } = process;
  const config = parseConfig(values, { env, platform, home: homedir() });
  await checkSurroundings(config);
  const { data: folder, limits, retention, readOnly, policy, roots } = config;
  const onError = (error: unknown) => log.warn("work in the background failed", { error });
  const ownFiles = values.tokens === undefined ? [folder] : [folder, resolve(values.tokens)];
  const localFilesIn = (...folders: readonly string[]) =>
    createLocalFolders({ roots: folders, ownFiles, nextName: randomUUID });
  const store = createSqliteStore({
    folder,
    limits,
    retention,
    readOnly,
    now: Date.now,
    nextName: randomUUID,
    onError,
  });
  const localFiles = localFilesIn(...roots);
  const detector = createMimeDetector();
  const newSecret = () => randomBytes(32).toString("base64url");
  const deps = { store, detector, policy, limits, localFiles, diffTexts, now: Date.now, newSecret };
  return { deps, localFilesIn, onError, offered: { readOnly, disk: roots.length > 0 } };
}

await runMain(process, {
  commandLine: isBuiltin("node:sqlite") ? commandLine : { ...commandLine, beside: ["libsql@0.5"] },
  scopes,

  async start(values, log) {
    const { deps, offered, onError } = await prepare(values, log);
    const { store } = deps;
    const stopMaintenance = offered.readOnly ? () => {} : startMaintenance(store, onError);
    return {
      app: offer(offered),
      deps,
      restrict: (access, origin) => restrict(access, origin, deps, offered),
      routes: fileRoutes(offered.readOnly),
      ...(!offered.readOnly && { openRoutes: linkRoutes(deps) }),
      readiness: () => readinessOf(store),
      gauges: (access) => gaugesOf(store, access),
      close() {
        stopMaintenance();
        store.close();
      },
    };
  },

  async command(call, terminal, log) {
    const { deps, localFilesIn } = await prepare(call.values, log);
    // Heavy parts that a server never needs.
    const { runCommand } = await import("./commands/run-command.ts");
    return runCommand(call, { ...deps, terminal, localFilesIn }).finally(() => deps.store.close());
  },
});
