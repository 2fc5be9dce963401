import type { App } from "./app.ts";
import {
  type CommandCall,
  type CommandLine,
  type Commands,
  parseCommandLine,
  type Values,
} from "./command-line.ts";
import { createLog, type Log } from "./log.ts";
import type { Options } from "./option.ts";
import { createSession } from "./server.ts";
import { ConfigurationError } from "./settings.ts";
import { StdioTransport } from "./stdio.ts";

/** Milliseconds: how long requests under way may still be answered, and when the process kills itself. */
interface Patience {
  readonly lastAnswers: number;
  readonly kill: number;
}

/** At the end of input whoever piped requests in wants their answers; it still ends within a second. */
const atEndOfInput: Patience = { lastAnswers: 500, kill: 950 };

const atOnce: Patience = { lastAnswers: 0, kill: 700 };

/** A server that is ready to answer. */
export interface Running<Deps> {
  readonly app: App<Deps>;
  readonly deps: Deps;
  /** Ends watchers, workers and connections. */
  close(): Promise<void> | void;
}

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
  /**
   * Checks the settings and builds the adapters, without opening, scanning or connecting anything: that begins with
   * the first call that needs it. Throws ConfigurationError for a setting that cannot work.
   */
  start(values: Values<Own>, log: Log): Promise<Running<Deps>> | Running<Deps>;
  /** Carries out a command and returns the exit code. */
  command?(call: CommandCall<Own, Known>, terminal: Terminal, log: Log): Promise<number>;
}

/** Parses the command line; serves over stdin and stdout, or prints, or carries out a command; ends the process. */
export async function runMain<Own extends Options, Known extends Commands, Deps>(
  host: NodeJS.Process,
  { commandLine, start, command }: Program<Own, Known, Deps>,
): Promise<void> {
  // Nobody may be left to read stderr; that is no reason to fail.
  host.stderr.on("error", () => {});
  try {
    const invocation = parseCommandLine(commandLine, host.argv.slice(2), host.env);
    if (invocation.kind === "print") {
      host.stdout.write(invocation.text);
      return;
    }
    const { values } = invocation;
    const log = createLog((line) => host.stderr.write(line), values.logLevel);
    if (invocation.kind === "serve") {
      serve(host, await start(values, log), values.maxResultBytes, log);
    } else if (command !== undefined) {
      const interrupt = new AbortController();
      for (const signal of ["SIGINT", "SIGTERM"] as const) host.once(signal, () => interrupt.abort());
      const { stdin, stdout, stderr } = host;
      host.exitCode = await command(invocation, { stdin, stdout, stderr, signal: interrupt.signal }, log);
    }
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    host.stderr.write(`${commandLine.name}: ${error.message}\n`);
    host.exitCode = 2;
  }
}

function serve<Deps>(host: NodeJS.Process, running: Running<Deps>, maxResultBytes: number, log: Log): void {
  const { app, deps } = running;
  const session = createSession(app, deps, { maxResultBytes, log });
  const transport = new StdioTransport(host.stdin, host.stdout);
  let stopping = false;

  async function stop(reason: string, { lastAnswers, kill }: Patience): Promise<void> {
    if (stopping) return;
    stopping = true;
    log.debug(`stopping: ${reason}`);
    // A worker inside a database statement cannot be interrupted, and exit() would wait for it. State is transactional.
    setTimeout(() => host.kill(host.pid, "SIGKILL"), kill);
    await Promise.race([session.idle(), new Promise((resolve) => setTimeout(resolve, lastAnswers))]);
    await session.close();
    await running.close();
    await new Promise<void>((resolve) => host.stdout.write("", () => resolve()));
    host.exit(0);
  }
  const fail = (error: unknown) => {
    log.error("stopping failed", { error });
    host.exit(1);
  };

  transport.onend = (reason) => {
    stop(`end of ${reason}`, reason === "input" ? atEndOfInput : atOnce).catch(fail);
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    host.on(signal, () => {
      stop(signal, atOnce).catch(fail);
    });
  }
  host.on("unhandledRejection", (error) => log.error("unhandled rejection", { error }));
  host.on("uncaughtException", (error) => {
    log.error("uncaught exception", { error });
    host.exit(1);
  });
  session.connect(transport).catch(fail);
  log.info(`${app.name} ${app.version} serves on stdin and stdout`);
}
