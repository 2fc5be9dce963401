import type { AnyAuthMethod, KeyboardInteractiveAuthMethod } from "ssh2";
import { QnxFsError } from "../../domain/errors.ts";
import type { Identities } from "./identities.ts";
import type { ResolvedEndpoint } from "./resolved-endpoint.ts";

/** One way to log in. `protocol` is the SSH name by which a server allows it. */
export interface LoginMethod {
  readonly protocol: "none" | "publickey" | "password" | "keyboard-interactive";
  /** How it is told to people. */
  readonly name: string;
  make(prompt: KeyboardInteractiveAuthMethod["prompt"]): AnyAuthMethod;
}

export interface Login {
  readonly methods: readonly LoginMethod[];
  /** What is configured and cannot be used. */
  readonly problems: readonly QnxFsError[];
  readonly password: string | undefined;
}

export interface LoginSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly identities: Identities;
}

const windowsAgent = "\\\\.\\pipe\\openssh-ssh-agent";

/**
 * What there is to log in with. `none` comes first: an account without a password takes it, and other servers answer
 * with what they allow. Fails with the first problem where something is configured and nothing of it can be used.
 */
export async function prepareLogin(endpoint: ResolvedEndpoint, sources: LoginSources): Promise<Login> {
  const problems: QnxFsError[] = [];
  const none: LoginMethod = {
    protocol: "none",
    name: "none",
    make: () => ({ type: "none", username: endpoint.user }),
  };
  const keys = await keyMethods(endpoint, sources, problems);
  const agent = agentMethods(endpoint, sources, problems);
  const password = passwordOf(endpoint, sources, problems);
  const methods = [...keys, ...agent, ...passwordMethods(endpoint.user, password)];
  const [problem] = problems;
  if (methods.length === 0 && problem !== undefined) throw problem;
  return { methods: [none, ...methods], problems, password };
}

async function keyMethods(
  { identityFiles, passphraseEnv, user, at }: ResolvedEndpoint,
  { env, identities }: LoginSources,
  problems: QnxFsError[],
): Promise<readonly LoginMethod[]> {
  const value = passphraseEnv === undefined ? undefined : env[passphraseEnv];
  const passphrase =
    passphraseEnv === undefined || value === undefined ? undefined : { variable: passphraseEnv, value };
  const methods: LoginMethod[] = [];
  for (const { file, mustExist } of identityFiles) {
    try {
      const key = await identities.read(file, passphrase, at);
      methods.push({
        protocol: "publickey",
        name: `key ${file}`,
        make: () => ({ type: "publickey", username: user, key }),
      });
    } catch (error) {
      if (!(error instanceof QnxFsError)) throw error;
      if (!mustExist && error.code === "KEY_UNREADABLE") continue;
      const unset = error.code === "KEY_ENCRYPTED" && passphraseEnv !== undefined && passphrase === undefined;
      problems.push(unset ? unsetVariable({ user, at }, passphraseEnv) : error);
    }
  }
  return methods;
}

function agentMethods(
  { agent, user, at }: ResolvedEndpoint,
  { env, platform }: LoginSources,
  problems: QnxFsError[],
): readonly LoginMethod[] {
  if (agent === undefined) return [];
  const fallback = platform === "win32" ? windowsAgent : undefined;
  const socket = agent === true ? env.SSH_AUTH_SOCK || fallback : agent;
  if (socket === undefined) {
    problems.push(unsetVariable({ user, at }, "SSH_AUTH_SOCK"));
    return [];
  }
  return [
    { protocol: "publickey", name: "agent", make: () => ({ type: "agent", username: user, agent: socket }) },
  ];
}

function passwordOf(
  { passwordEnv, user, at }: ResolvedEndpoint,
  { env }: LoginSources,
  problems: QnxFsError[],
): string | undefined {
  if (passwordEnv === undefined) return undefined;
  const password = env[passwordEnv];
  if (password === undefined) problems.push(unsetVariable({ user, at }, passwordEnv));
  return password;
}

function passwordMethods(username: string, password: string | undefined): readonly LoginMethod[] {
  if (password === undefined) return [];
  return [
    { protocol: "password", name: "password", make: () => ({ type: "password", username, password }) },
    {
      protocol: "keyboard-interactive",
      name: "keyboard-interactive",
      make: (prompt) => ({ type: "keyboard-interactive", username, prompt }),
    },
  ];
}

function unsetVariable({ user, at }: Pick<ResolvedEndpoint, "user" | "at">, variable: string): QnxFsError {
  return new QnxFsError("AUTH_FAILED", { ...at, user, kind: "variable", tried: [], offered: [], variable });
}
