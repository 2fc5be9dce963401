import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { type Log, runMain } from "@mcp-file-servers/core";
import { createLocalFolders } from "./adapters/local-folders.ts";
import { createMimeDetector } from "./adapters/mime-detector.ts";
import { createSqliteStore } from "./adapters/sqlite/sqlite-store.ts";
import { startMaintenance } from "./adapters/start-maintenance.ts";
import { offer } from "./app.ts";
import { checkSurroundings } from "./check-surroundings.ts";
import { commandLine, parseConfig } from "./config.ts";

await runMain(process, {
  commandLine,
  async start(values, log: Log) {
    const { env, platform } = process;
    const config = parseConfig(values, { env, platform, home: homedir() });
    await checkSurroundings(config);
    const { data: folder, limits, retention, readOnly, policy, roots } = config;
    const ownFiles = values.tokens === undefined ? [folder] : [folder, resolve(values.tokens)];
    const localFiles = createLocalFolders({ roots, ownFiles, nextName: randomUUID });
    const onError = (error: unknown) => log.warn("work in the background failed", { error });
    const store = createSqliteStore({
      folder,
      limits,
      retention,
      readOnly,
      now: Date.now,
      nextName: randomUUID,
      onError,
    });
    const stopMaintenance = readOnly ? () => {} : startMaintenance(store, onError);
    return {
      app: offer({ readOnly, disk: roots.length > 0 }),
      deps: { store, detector: createMimeDetector(), policy, limits, localFiles },
      close() {
        stopMaintenance();
        store.close();
      },
    };
  },
});
