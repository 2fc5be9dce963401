import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { defaultBudget } from "./budget.ts";
import { clientNames, writeClientConfig } from "./client-config.ts";
import { nearestName } from "./input.ts";
import { logLevels } from "./log.ts";
import { type Options, option, type ValuesOf } from "./option.ts";

/** A wrong flag, variable or file: ends the start with its message and exit code 2. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

/** A server's command line. Option names are camelCase here and --kebab-case for the user. */
export interface CommandLine<Own extends Options> {
  readonly name: string;
  readonly version: string;
  /** What the server does, in a sentence. */
  readonly summary: string;
  /** An argument without a flag. */
  readonly positional?: keyof Own & string;
  readonly options: Own;
}

/** Settings that every server has. */
const commonOptions = {
  maxResultBytes: option.integer({
    placeholder: "N",
    description: "most bytes of data in an answer",
    min: 4_000,
    max: 1_000_000,
    byDefault: defaultBudget,
  }),
  logLevel: option.choice({
    placeholder: "LEVEL",
    description: "what is written to stderr",
    words: logLevels,
    byDefault: "info",
  }),
} satisfies Options;

/** Every setting with its value. */
export type Values<Own extends Options> = ValuesOf<Own> & ValuesOf<typeof commonOptions>;

/** What a command line asks for: to serve with these settings, or to print a text and end. */
export type Invocation<Own extends Options> =
  | { readonly kind: "serve"; readonly values: Values<Own> }
  | { readonly kind: "print"; readonly text: string };

type Texts = Readonly<Record<string, readonly string[]>>;

function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

const printFlags = ["--help", "--version", "--print-config"];

function readArguments<Own extends Options>(
  { positional }: CommandLine<Own>,
  table: Options,
  argv: readonly string[],
): { given: Record<string, string[]>; print: Record<string, string> } {
  const byFlag = new Map(Object.keys(table).map((name) => [flagOf(name), name]));
  const config = Object.fromEntries(
    Object.entries(table).map(([name, { placeholder }]) => [
      flagOf(name).slice(2),
      { type: placeholder === undefined ? ("boolean" as const) : ("string" as const), multiple: true },
    ]),
  );
  const { tokens } = parseArgs({
    args: [...argv],
    options: {
      ...config,
      help: { type: "boolean", short: "h" },
      version: { type: "boolean", short: "v" },
      "print-config": { type: "string" },
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given: Record<string, string[]> = {};
  const print: Record<string, string> = {};
  for (const token of tokens) {
    if (token.kind === "positional") {
      const taken = positional !== undefined && given[positional] === undefined;
      if (!taken)
        throw new ConfigurationError(`unexpected argument ${JSON.stringify(token.value)}; see --help`);
      given[positional] = [token.value];
    } else if (token.kind === "option") {
      const flag = `--${token.name}`;
      const name = byFlag.get(flag);
      const isPrint = printFlags.includes(flag);
      if (name === undefined && !isPrint) {
        const nearest = nearestName(flag, [...byFlag.keys(), ...printFlags]);
        throw new ConfigurationError(
          `unknown option ${token.rawName}${nearest ? `; did you mean ${nearest}?` : ""} See --help`,
        );
      }
      const isSwitch =
        name === undefined ? flag !== "--print-config" : table[name]?.placeholder === undefined;
      const { value } = token;
      if (!isSwitch && (value === undefined || (value.startsWith("--") && token.inlineValue !== true))) {
        throw new ConfigurationError(`${flag} needs a value; see --help`);
      }
      if (name === undefined) print[flag] = value ?? "";
      else given[name] = [...(given[name] ?? []), value ?? "true"];
    }
  }
  return { given, print };
}

function fromEnvironment(table: Options, given: Texts, env: NodeJS.ProcessEnv): Texts {
  const found: Record<string, readonly string[]> = { ...given };
  for (const [name, { env: variable, isList }] of Object.entries(table)) {
    const text = variable === undefined ? undefined : env[variable];
    if (found[name] !== undefined || text === undefined || text === "") continue;
    found[name] = isList
      ? text
          .split(",")
          .map((part) => part.trim())
          .filter((part) => part !== "")
      : [text];
  }
  return found;
}

/** The settings for the caller's client: paths made absolute, since a client starts servers elsewhere. */
function printConfig<Own extends Options>(
  { name, positional }: CommandLine<Own>,
  table: Options,
  given: Texts,
  env: NodeJS.ProcessEnv,
  client: string,
): string {
  const known = clientNames.find((candidate) => candidate === client);
  if (known === undefined)
    throw new ConfigurationError(`--print-config must be one of ${clientNames.join(", ")}`);
  const write = (option: string, text: string) => (table[option]?.isPath ? resolve(text) : text);
  const args = Object.entries(given)
    .sort(([a], [b]) => Number(a === positional) - Number(b === positional))
    .flatMap(([option, texts]) =>
      texts.flatMap((text) => {
        if (option === positional) return [write(option, text)];
        return table[option]?.placeholder === undefined
          ? [flagOf(option)]
          : [flagOf(option), write(option, text)];
      }),
    );
  const variables = Object.entries(table).flatMap(([option, { env: variable }]) =>
    variable !== undefined && env[variable] && given[option] === undefined
      ? [[variable, env[variable]] as const]
      : [],
  );
  return writeClientConfig(known, { name, args, env: Object.fromEntries(variables) });
}

function writeHelp<Own extends Options>(
  { name, version, summary, positional, options }: CommandLine<Own>,
  table: Options,
): string {
  const rows = Object.entries(table).map(([option, { placeholder, description, env }]) => {
    const left =
      option === positional ? `${placeholder}` : `${flagOf(option)}${placeholder ? ` ${placeholder}` : ""}`;
    return [left, `${description}${env ? ` [${env}]` : ""}`] as const;
  });
  rows.push(
    ["--print-config CLIENT", `print the block to paste into ${clientNames.join(", ")}`],
    ["--help", "print this text"],
    ["--version", "print the version"],
  );
  const width = Math.max(...rows.map(([left]) => left.length));
  const argument = positional === undefined ? "" : ` [${options[positional]?.placeholder}]`;
  const lines = rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
  return `${name} ${version}: ${summary}\n\nUsage: ${name} [options]${argument}\n\n${lines.join("\n")}\n
Flags win over environment variables (in brackets), these over defaults. The server speaks MCP over stdin and stdout.\n`;
}

/** Reads a command line and its environment. Pure; throws ConfigurationError with one line that says what to do. */
export function parseCommandLine<Own extends Options>(
  commandLine: CommandLine<Own>,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Invocation<Own> {
  const table: Options = { ...commandLine.options, ...commonOptions };
  const { given, print } = readArguments(commandLine, table, argv);
  if (print["--help"] !== undefined) return { kind: "print", text: writeHelp(commandLine, table) };
  if (print["--version"] !== undefined) return { kind: "print", text: `${commandLine.version}\n` };
  const texts = fromEnvironment(table, given, env);
  const values = Object.entries(table).map(([name, { read, env: variable }]) => {
    try {
      return [name, read(texts[name])];
    } catch (error) {
      const source =
        given[name] === undefined ? variable : name === commandLine.positional ? name : flagOf(name);
      throw new ConfigurationError(
        `${source} ${(error as Error).message}, not ${JSON.stringify(texts[name]?.at(-1))}`,
      );
    }
  });
  const client = print["--print-config"];
  if (client !== undefined)
    return { kind: "print", text: printConfig(commandLine, table, given, env, client) };
  return { kind: "serve", values: Object.fromEntries(values) as Values<Own> };
}
