import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import { ConfigurationError, createCollectGarbage, runMain } from "@mcp-file-servers/core";
import { compilePattern } from "@mcp-file-servers/glob";
import { ConfigFile } from "./adapters/config/config-file.ts";
import { LocalFolder } from "./adapters/local/local-folder.ts";
import { compileRegex } from "./adapters/regex/compile-regex.ts";
import { sleep } from "./adapters/sleep.ts";
import { HostKeyFiles } from "./adapters/ssh/host-key-files.ts";
import { decryptInWorker, Identities } from "./adapters/ssh/identities.ts";
import { defaultLimits } from "./adapters/ssh/limits.ts";
import { TargetPool } from "./adapters/ssh/target-pool.ts";
import { commandLine, parseConfig } from "./config.ts";
import { KeptListings } from "./domain/kept-listings.ts";
import { KeptStates } from "./domain/watching/kept-states.ts";
import { scopes, serve } from "./serve.ts";

const { env, platform } = process;
const home = homedir();

/** The configuration's file, and what connecting takes; nothing is read or opened yet. */
function prepare(values: Parameters<typeof parseConfig>[0]) {
  const config = parseConfig(values, { env, platform, home });
  const collect = createCollectGarbage();
  const allowed = config.allow.map(compilePattern);
  return {
    config,
    configFile: new ConfigFile(config.configFile),
    allows: (name: string) => allowed.length === 0 || allowed.some((matches) => matches(name)),
    services: {
      env,
      platform,
      home,
      sshProgram: "ssh",
      limits: defaultLimits,
      freeBuffers: () => collect("new"),
      identities: new Identities(decryptInWorker(new URL("./decrypt-key.worker.js", import.meta.url))),
      hostKeys: new HostKeyFiles({ pins: config.pinsFile, knownHosts: config.knownHostsFile }),
    },
    newId: () => randomBytes(4).toString("hex"),
  };
}

/** A configuration that was named must be there, and every one must be right. */
async function assertUsable(configFile: ConfigFile, isNamed: boolean): Promise<void> {
  const { configured, problem } = await configFile.read();
  if (problem !== undefined) throw new ConfigurationError(problem);
  if (isNamed && !configured) {
    throw new ConfigurationError(`${configFile.file}: there is no such configuration file`);
  }
}

await runMain(process, {
  commandLine,
  scopes,

  async start(values) {
    const { config, configFile, allows, services, newId } = prepare(values);
    await assertUsable(configFile, config.configNamed);
    const pool = new TargetPool({ configFile, allows, services });
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
    const deps = {
      targets: pool,
      listings,
      local,
      now: () => performance.now(),
      newId,
      compileRegex,
      watchStates: new KeptStates(),
      sleep,
      readOnly: config.readOnly,
    };
    return serve(deps, () => pool.close());
  },

  async command(call, terminal) {
    const { config, ...deps } = prepare(call.values);
    if (call.name !== "check" || !call.values.example)
      await assertUsable(deps.configFile, config.configNamed);
    // Heavy parts that a server never needs.
    if (call.name === "check") {
      const { check } = await import("./commands/check.ts");
      return check(call.args, call.values, { ...deps, terminal });
    }
    const { trust } = await import("./commands/trust.ts");
    return trust(call.args[0] ?? "", call.values.fingerprint, { ...deps, terminal });
  },
});
