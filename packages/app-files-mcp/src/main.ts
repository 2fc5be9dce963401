import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import { type Log, runMain } from "@mcp-file-servers/core";
import { createMimeDetector } from "./adapters/mime-detector.ts";
import { createSqliteStore } from "./adapters/sqlite/sqlite-store.ts";
import { startMaintenance } from "./adapters/start-maintenance.ts";
import { app, readOnlyApp } from "./app.ts";
import { checkSurroundings } from "./check-surroundings.ts";
import { commandLine, parseConfig } from "./config.ts";

await runMain(process, {
  commandLine,
  async start(values, log: Log) {
    const { env, platform } = process;
    const config = parseConfig(values, { env, platform, home: homedir() });
    await checkSurroundings(config);
    const { data: folder, limits, retention, readOnly, policy } = config;
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
      app: readOnly ? readOnlyApp : app,
      deps: { store, detector: createMimeDetector(), policy, limits },
      close() {
        stopMaintenance();
        store.close();
      },
    };
  },
});
