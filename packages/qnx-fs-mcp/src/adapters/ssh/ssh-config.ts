import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Endpoint } from "../../domain/configuration.ts";
import { type At, QnxFsError } from "../../domain/errors.ts";

/** What the user's ssh_config says of an alias. */
export interface SshSettings {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly identityFiles: readonly string[];
  readonly hostKeyAlias: string | undefined;
  readonly agent: string | undefined;
}

const timeoutMs = 5_000;

/** Asks `ssh -G` for the settings of an alias. Fails with TARGET_UNREACHABLE where they cannot be had or followed. */
export async function settingsOf(endpoint: Endpoint, at: At, program: string): Promise<SshSettings> {
  const problem = (reason: string, cause?: unknown): QnxFsError =>
    new QnxFsError("TARGET_UNREACHABLE", { ...at, step: "settings", reason }, { cause });
  const options = [
    ...(endpoint.user === undefined ? [] : ["-l", endpoint.user]),
    ...(endpoint.port === undefined ? [] : ["-p", String(endpoint.port)]),
  ];
  const run = promisify(execFile)(program, ["-G", ...options, "--", endpoint.host], { timeout: timeoutMs });
  const { stdout } = await run.catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "ENOENT" ? "there is no ssh program here" : "ssh -G failed";
    throw problem(`ssh_config: true needs ssh -G, but ${why}`, error);
  });
  const settings = parseSshSettings(stdout);
  const proxy = settings.proxyCommand;
  if (proxy !== undefined) {
    throw problem(
      "its ssh_config names a ProxyCommand, which would run a program here; describe the way under jumps instead",
    );
  }
  if (settings.proxyJump !== undefined && endpoint.jump === undefined) {
    throw problem(
      `its ssh_config names the ProxyJump ${settings.proxyJump}; describe it under jumps and name it in jump`,
    );
  }
  return settings;
}

/** Reads what `ssh -G` prints: a keyword and its value a line. Source: ssh_config(5). */
export function parseSshSettings(
  output: string,
): SshSettings & { readonly proxyCommand: string | undefined; readonly proxyJump: string | undefined } {
  const lines = output.split(/\r?\n/).flatMap((line) => {
    const space = line.indexOf(" ");
    return space < 0 ? [] : [[line.slice(0, space).toLowerCase(), line.slice(space + 1)] as const];
  });
  const all = (keyword: string): readonly string[] =>
    lines.filter(([key]) => key === keyword).map(([, value]) => value);
  const one = (keyword: string): string | undefined => all(keyword).find((value) => value !== "none");
  const agent = one("identityagent");
  return {
    host: one("hostname") ?? one("host") ?? "",
    port: Number(one("port") ?? 22),
    user: one("user") ?? "",
    identityFiles: all("identityfile").filter((file) => file !== "none"),
    hostKeyAlias: one("hostkeyalias"),
    agent: agent === "SSH_AUTH_SOCK" ? undefined : agent,
    proxyCommand: one("proxycommand"),
    proxyJump: one("proxyjump"),
  };
}
