import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import { ConfigurationError, runMain } from "@mcp-file-servers/core";
import { compilePattern } from "@mcp-file-servers/glob";
import { ConfigFile } from "./adapters/config/config-file.ts";
import { LocalFolder } from "./adapters/local/local-folder.ts";
import { compileRegex } from "./adapters/regex/compile-regex.ts";
import { sleep } from "./adapters/sleep.ts";
import { HostKeyFiles } from "./adapters/ssh/host-key-files.ts";
import { decryptInWorker, Identities } from "./adapters/ssh/identities.ts";
import { defaultLimits } from "./adapters/ssh/limits.ts";
import { TargetPool } from "./adapters/ssh/target-pool.ts";
import { app, readOnlyApp } from "./app.ts";
import { commandLine, parseConfig } from "./config.ts";
import { KeptListings } from "./domain/kept-listings.ts";
import { KeptStates } from "./domain/watching/kept-states.ts";

await runMain(process, {
  commandLine,
  async start(values) {
    const { env, platform } = process;
    const home = homedir();
    const config = parseConfig(values, { env, platform, home });
    const configFile = new ConfigFile(config.configFile);
    const { configured, problem } = await configFile.read();
    if (problem !== undefined) throw new ConfigurationError(problem);
    if (config.configNamed && !configured) {
      throw new ConfigurationError(`${config.configFile}: there is no such configuration file`);
    }
    const allowed = config.allow.map(compilePattern);
    const pool = new TargetPool({
      configFile,
      allows: (name) => allowed.length === 0 || allowed.some((matches) => matches(name)),
      services: {
        env,
        platform,
        home,
        sshProgram: "ssh",
        limits: defaultLimits,
        identities: new Identities(decryptInWorker(new URL("./decrypt-key.worker.js", import.meta.url))),
        hostKeys: new HostKeyFiles({ pins: config.pinsFile, knownHosts: config.knownHostsFile }),
      },
    });
    const listings = new KeptListings({
      keepMs: 60_000,
      maxListings: 4,
      maxEntries: 100_000,
      now: () => performance.now(),
      newId: () => randomBytes(6).toString("base64url"),
    });
    const local = new LocalFolder({
      roots: async () => (await configFile.read()).configuration.localRoots,
      own: config.ownFiles,
      home,
      platform,
    });
    const newId = (): string => randomBytes(4).toString("hex");
    return {
      app: config.readOnly ? readOnlyApp : app,
      deps: {
        targets: pool,
        listings,
        local,
        now: () => performance.now(),
        newId,
        compileRegex,
        watchStates: new KeptStates(),
        sleep,
        readOnly: config.readOnly,
      },
      close: () => pool.close(),
    };
  },
});
