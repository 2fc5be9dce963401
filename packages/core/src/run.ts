import { localAccess, type ScopeSpec } from "./access.ts";
import {
  type CommandCall,
  type CommandLine,
  type Commands,
  parseCommandLine,
  type Values,
} from "./command-line.ts";
import type { CommonValues } from "./common-options.ts";
import { keepHeapSmall } from "./heap.ts";
import { afterRequests, atEndOfInput, atMost, atOnce, endBySignals } from "./life.ts";
import { createLog, type Log } from "./log.ts";
import type { Options } from "./option.ts";
import type { Running } from "./running.ts";
import { createSession } from "./server.ts";
import { ConfigurationError } from "./settings.ts";
import { StdioTransport } from "./stdio.ts";

/** Where a command speaks with its user. */
export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
}

export interface Program<Own extends Options, Known extends Commands, Deps> {
  readonly commandLine: CommandLine<Own, Known>;
  /** What a token may be limited to; absent, a token can only be read-only. */
  readonly scopes?: ScopeSpec;
  /**
   * Checks the settings and builds the adapters, without opening, scanning or connecting anything: that begins with
   * the first call that needs it. Throws ConfigurationError for a setting that cannot work.
   */
  start(values: Values<Own>, log: Log): Promise<Running<Deps>> | Running<Deps>;
  /** Carries out a command and returns the exit code. */
  command?(call: CommandCall<Own, Known>, terminal: Terminal, log: Log): Promise<number>;
}

/** Parses the command line; serves, or prints, or carries out a command; ends the process. */
export async function runMain<Own extends Options, Known extends Commands, Deps>(
  host: NodeJS.Process,
  { commandLine, scopes = {}, start, command }: Program<Own, Known, Deps>,
): Promise<void> {
  // Nobody may be left to read stderr; that is no reason to fail.
  host.stderr.on("error", () => {});
  try {
    const invocation = parseCommandLine(commandLine, host.argv.slice(2), host.env);
    if (invocation.kind === "print") {
      host.stdout.write(invocation.text);
      return;
    }
    if (invocation.kind === "token") {
      const { runTokenCommand } = await import("./http/token-command.ts");
      host.stdout.write(await runTokenCommand(invocation, scopes, Date.now()));
      return;
    }
    const { values } = invocation;
    const log = createLog((line) => host.stderr.write(line), values.logLevel);
    if (invocation.kind === "command") {
      const interrupt = new AbortController();
      for (const signal of ["SIGINT", "SIGTERM"] as const) host.once(signal, () => interrupt.abort());
      const { stdin, stdout, stderr } = host;
      host.exitCode = await command?.(invocation, { stdin, stdout, stderr, signal: interrupt.signal }, log);
      return;
    }
    keepHeapSmall();
    const running = await start(values, log);
    if (values.http === undefined) serveStdio(host, running, values, log);
    else await serveOverHttp(host, running, values, scopes, log);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    await new Promise<void>((resolve) =>
      host.stderr.write(`${commandLine.name}: ${error.message}\n`, () => resolve()),
    );
    // What was begun before the fault was found may be running.
    host.exit(2);
  }
}

function serveStdio<Deps>(
  host: NodeJS.Process,
  running: Running<Deps>,
  values: CommonValues,
  log: Log,
): void {
  const { app, deps } = running;
  const session = createSession(app, deps, {
    maxResultBytes: values.maxResultBytes,
    log,
    caller: localAccess.name,
    report: ({ tool, subject, outcome, durationMs }) =>
      log.debug("call", { tool, subject, outcome, ms: Math.round(durationMs) }),
  });
  const stop = endBySignals(host, log, atOnce, async (lastAnswersMs) => {
    await atMost(lastAnswersMs, session.idle());
    await session.close();
    await running.close();
  });
  const transport = new StdioTransport(host.stdin, host.stdout);
  transport.onend = (reason) => stop(`end of ${reason}`, reason === "input" ? atEndOfInput : atOnce);
  session.connect(transport).catch((error) => stop(String(error), atOnce));
  log.info(`${app.name} ${app.version} serves on stdin and stdout`);
}

async function serveOverHttp<Deps>(
  host: NodeJS.Process,
  running: Running<Deps>,
  values: CommonValues,
  scopes: ScopeSpec,
  log: Log,
): Promise<void> {
  // Heavy parts that a server on stdin and stdout never needs.
  const { httpSettings } = await import("./http/http-settings.ts");
  const { serveHttp } = await import("./http/serve-http.ts");
  const server = await serveHttp(running, { ...(await httpSettings(values, scopes, Date.now)), log });
  endBySignals(host, log, afterRequests, async (lastAnswersMs) => {
    await server.close(lastAnswersMs);
    await running.close();
  });
  log.info(`${running.app.name} ${running.app.version} serves ${server.url}`);
}
