import type { AlgorithmChoice } from "../../domain/algorithms.ts";
import { type Endpoint, settingOf } from "../../domain/configuration.ts";
import type { At } from "../../domain/errors.ts";
import { knownHostName } from "../../domain/known-hosts.ts";
import { type SshSettings, settingsOf } from "./ssh-config.ts";

/** An endpoint with everything that it takes to connect. */
export interface ResolvedEndpoint {
  readonly at: At;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** How known_hosts names it. */
  readonly knownName: string;
  readonly identityFiles: readonly { readonly file: string; readonly mustExist: boolean }[];
  readonly passphraseEnv: string | undefined;
  readonly agent: true | string | undefined;
  readonly passwordEnv: string | undefined;
  readonly hostKey: string | undefined;
  readonly firstUse: boolean;
  readonly algorithms: AlgorithmChoice;
}

export interface ResolveOptions {
  readonly home: string;
  /** The `ssh` program that resolves aliases. */
  readonly sshProgram: string;
}

/** Completes an endpoint, by `ssh -G` where it asks for that. `target` is the one that the call is about. */
export async function resolveEndpoint(
  endpoint: Endpoint,
  target: string,
  { home, sshProgram }: ResolveOptions,
): Promise<ResolvedEndpoint> {
  const setting = settingOf(endpoint);
  const unresolved = { target, endpoint: label(endpoint, endpoint.host, endpoint.port ?? 22), setting };
  const settings = endpoint.sshConfig ? await settingsOf(endpoint, unresolved, sshProgram) : undefined;
  const host = settings?.host ?? endpoint.host;
  const port = endpoint.port ?? settings?.port ?? 22;
  const user = endpoint.user ?? settings?.user;
  if (user === undefined) throw new TypeError(`${setting} has no user`);
  return {
    at: { target, endpoint: label(endpoint, host, port), setting },
    host,
    port,
    user,
    knownName: settings?.hostKeyAlias?.toLowerCase() ?? knownHostName(host, port),
    identityFiles: identityFiles(endpoint, settings, home),
    passphraseEnv: endpoint.credentials.passphraseEnv,
    agent: agentOf(endpoint, settings, home),
    passwordEnv: endpoint.credentials.passwordEnv,
    hostKey: endpoint.hostKey,
    firstUse: endpoint.firstUse,
    algorithms: endpoint.algorithms,
  };
}

function label(endpoint: Endpoint, host: string, port: number): string {
  const address = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  return "readRoots" in endpoint ? address : `${address} (jump ${endpoint.name})`;
}

function identityFiles(
  { credentials }: Endpoint,
  settings: SshSettings | undefined,
  home: string,
): ResolvedEndpoint["identityFiles"] {
  if (credentials.identityFile !== undefined) {
    return [{ file: inHome(credentials.identityFile, home), mustExist: true }];
  }
  return (settings?.identityFiles ?? []).map((file) => ({ file: inHome(file, home), mustExist: false }));
}

function agentOf(
  { credentials }: Endpoint,
  settings: SshSettings | undefined,
  home: string,
): true | string | undefined {
  const agent = credentials.agent ?? settings?.agent;
  return typeof agent === "string" ? inHome(agent, home) : agent;
}

function inHome(file: string, home: string): string {
  return /^~[/\\]/.test(file) ? `${home}${file.slice(1)}` : file;
}
