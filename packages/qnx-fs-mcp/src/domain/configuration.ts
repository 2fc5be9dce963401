import type { AlgorithmChoice } from "./algorithms.ts";

/** How to log in. Secrets are named, never held: they come from the environment or the agent. */
export interface Credentials {
  /** As written; `~/` is the user's home. */
  readonly identityFile?: string;
  readonly passphraseEnv?: string;
  /** true: the agent that the environment names; a text: its socket. */
  readonly agent?: true | string;
  readonly passwordEnv?: string;
}

/** A machine that SSH connects to. */
export interface Endpoint {
  readonly name: string;
  /** An address or name; with `sshConfig` an alias that `ssh -G` resolves. */
  readonly host: string;
  /** Absent: 22, or what ssh_config says. */
  readonly port?: number;
  /** Absent only with `sshConfig`. */
  readonly user?: string;
  readonly sshConfig: boolean;
  readonly credentials: Credentials;
  /** `SHA256:…`. */
  readonly hostKey?: string;
  readonly firstUse: boolean;
  readonly algorithms: AlgorithmChoice;
  /** The name of the jump that it is reached through. */
  readonly jump?: string;
}

export interface Target extends Endpoint {
  readonly readRoots: readonly string[];
  readonly writeRoots: readonly string[];
  /** The SFTP server's program, run when the subsystem is missing. */
  readonly sftpServer?: string;
}

/** What the configuration file says, checked. */
export interface Configuration {
  readonly targets: ReadonlyMap<string, Target>;
  readonly jumps: ReadonlyMap<string, Endpoint>;
  /** Host directories that transfers may touch, as written. */
  readonly localRoots: readonly string[];
}

export const emptyConfiguration: Configuration = { targets: new Map(), jumps: new Map(), localRoots: [] };

/** What may be listed and read: the write roots are readable too. */
export function readableRoots(target: Target): readonly string[] {
  return [...new Set([...target.readRoots, ...target.writeRoots])];
}

/** The setting that describes an endpoint, such as `targets.tb`. */
export function settingOf(endpoint: Endpoint): string {
  return `${"readRoots" in endpoint ? "targets" : "jumps"}.${endpoint.name}`;
}

/** The jumps on the way to an endpoint, the first one to connect to first. The configuration holds no loops. */
export function jumpsTo(endpoint: Endpoint, { jumps }: Configuration): readonly Endpoint[] {
  const jump = endpoint.jump === undefined ? undefined : jumps.get(endpoint.jump);
  return jump === undefined ? [] : [...jumpsTo(jump, { jumps, targets: new Map(), localRoots: [] }), jump];
}
