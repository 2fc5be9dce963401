import { writeFile } from "node:fs/promises";
import path from "node:path";
import { stringify } from "yaml";
import { ConfigFile } from "../src/adapters/config/config-file.ts";
import { HostKeyFiles } from "../src/adapters/ssh/host-key-files.ts";
import { Identities } from "../src/adapters/ssh/identities.ts";
import { defaultLimits, type SshLimits } from "../src/adapters/ssh/limits.ts";
import { readPrivateKey } from "../src/adapters/ssh/read-private-key.ts";
import { loadSsh2 } from "../src/adapters/ssh/ssh2-library.ts";
import { TargetPool } from "../src/adapters/ssh/target-pool.ts";
import type { ScriptedTarget } from "./scripted-target/start-scripted-target.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export interface PoolOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly limits?: Partial<SshLimits>;
  readonly knownHosts?: string;
  readonly pins?: string;
  readonly allows?: (name: string) => boolean;
  readonly sshProgram?: string;
}

export interface TestPool {
  readonly pool: TargetPool;
  /** Holds config.yaml, known_hosts and state/known_hosts. */
  readonly folder: string;
  configure(configuration: object): Promise<void>;
  close(): Promise<void>;
}

/** A pool over a configuration, with files of its own. */
export async function openPool(configuration: object, options: PoolOptions = {}): Promise<TestPool> {
  const { folder, remove } = await temporaryFolder();
  const file = (name: string): string => path.join(folder, name);
  const configure = (now: object): Promise<void> => writeFile(file("config.yaml"), stringify(now));
  await configure(configuration);
  if (options.knownHosts !== undefined) await writeFile(file("known_hosts"), options.knownHosts);
  if (options.pins !== undefined) await writeFile(file("pins"), options.pins);
  const pool = new TargetPool({
    configFile: new ConfigFile(file("config.yaml")),
    allows: options.allows ?? (() => true),
    services: {
      env: options.env ?? {},
      platform: "linux",
      home: folder,
      sshProgram: options.sshProgram ?? "ssh",
      limits: { ...defaultLimits, ...options.limits },
      freeBuffers: () => {},
      // The worker is a built file: the tests of the built server go through it.
      identities: new Identities(async (text, passphrase) => {
        const { utils } = await loadSsh2();
        return readPrivateKey(utils.parseKey, text, passphrase);
      }),
      hostKeys: new HostKeyFiles({ pins: file("pins"), knownHosts: file("known_hosts") }),
    },
  });
  return {
    pool,
    folder,
    configure,
    close: async () => {
      pool.close();
      await remove();
    },
  };
}

/** How the configuration describes a scripted target; the password is in PASSWORD. */
export function describeScripted(target: ScriptedTarget, more: object = {}): object {
  const { host, port, user, hostKeyFingerprint } = target;
  return { host, port, user, password_env: "PASSWORD", host_key: hostKeyFingerprint, ...more };
}
