import { resolve } from "node:path";
import { clientNames, writeClientConfig } from "./client-config.ts";
import { type CommonValues, commonOptions } from "./common-options.ts";
import { commandHelp, serverHelp } from "./help.ts";
import type { Options, ValuesOf } from "./option.ts";
import { ConfigurationError, flagOf, type Given, readArguments, readValues } from "./settings.ts";
import { tokenCommand } from "./token-options.ts";

/** Something to do from a terminal in place of serving: `NAME check …`. It also takes the server's own options. */
export interface CommandSpec<Extra extends Options = Options> {
  readonly summary: string;
  /** Its arguments as the help shows them, such as `APP FILE.zip`. */
  readonly usage: string;
  /** How many arguments it takes. */
  readonly arguments: { readonly min: number; readonly max: number };
  readonly options: Extra;
}

export type Commands = Readonly<Record<string, CommandSpec>>;

/** A command line whatever its options are. */
export interface AnyCommandLine {
  readonly name: string;
  readonly version: string;
  /** What the server does, in a sentence. */
  readonly summary: string;
  readonly positional?: string;
  readonly options: Options;
  readonly commands?: Commands;
  /** Packages that npx must put beside the server on this Node, such as `libsql@0.5`. */
  readonly beside?: readonly string[];
}

/** A server's command line. Option names are camelCase here and --kebab-case for the user. */
export interface CommandLine<Own extends Options, Known extends Commands = Commands> extends AnyCommandLine {
  /** An option that is given without its flag. */
  readonly positional?: keyof Own & string;
  readonly options: Own;
  readonly commands?: Known;
}

/** Every setting with its value. */
export type Values<Own extends Options> = ValuesOf<Own> & CommonValues;

/** A command with its settings and arguments. */
export type CommandCall<Own extends Options, Known extends Commands> = {
  readonly [Name in keyof Known & string]: {
    readonly kind: "command";
    readonly name: Name;
    readonly values: Values<Own> & ValuesOf<Known[Name]["options"]>;
    readonly args: readonly string[];
  };
}[keyof Known & string];

/** `token …`, which every server has. */
export interface TokenCall {
  readonly kind: "token";
  readonly values: CommonValues & ValuesOf<typeof tokenCommand.options>;
  readonly args: readonly string[];
}

/** What a command line asks for: to serve, to print a text and end, or to carry out a command. */
export type Invocation<Own extends Options, Known extends Commands> =
  | { readonly kind: "serve"; readonly values: Values<Own> }
  | { readonly kind: "print"; readonly text: string }
  | TokenCall
  | CommandCall<Own, Known>;

/** The settings for the caller's client: paths made absolute, since a client starts servers elsewhere. */
function printConfig(
  { name, positional, beside = [] }: AnyCommandLine,
  table: Options,
  given: Given["options"],
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
  return writeClientConfig(known, { name, beside, args, env: Object.fromEntries(variables) });
}

/** The positional option, given without its flag. */
function placePositional({ positional }: AnyCommandLine, given: Given): Given["options"] {
  const [first, ...others] = given.positionals;
  if (first === undefined) return given.options;
  const isTaken = positional === undefined || given.options[positional] !== undefined;
  const surplus = isTaken ? first : others[0];
  if (surplus !== undefined)
    throw new ConfigurationError(`unexpected argument ${JSON.stringify(surplus)}; see --help`);
  return positional === undefined ? given.options : { ...given.options, [positional]: [first] };
}

function parseCommand(
  { name: server, options }: AnyCommandLine,
  name: string,
  spec: CommandSpec,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
) {
  const table: Options = { ...options, ...spec.options, ...commonOptions };
  const { print, options: given, positionals } = readArguments(table, argv);
  if (print["--help"] !== undefined) {
    return { kind: "print" as const, text: commandHelp(server, name, spec, table) };
  }
  if (positionals.length < spec.arguments.min || positionals.length > spec.arguments.max) {
    throw new ConfigurationError(
      `usage: ${[server, name, "[options]", spec.usage].filter(Boolean).join(" ")}`,
    );
  }
  return { kind: "command" as const, name, values: readValues(table, given, env), args: positionals };
}

/** Reads a command line and its environment. Pure; throws ConfigurationError with one line that says what to do. */
export function parseCommandLine<Own extends Options, Known extends Commands>(
  commandLine: CommandLine<Own, Known>,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Invocation<Own, Known> {
  const [first = "", ...rest] = argv;
  const commands: Commands = { ...commandLine.commands, token: tokenCommand };
  const spec = Object.hasOwn(commands, first) ? commands[first] : undefined;
  if (spec !== undefined) {
    const call = parseCommand(commandLine, first, spec, rest, env);
    return (call.kind === "command" && first === "token" ? { ...call, kind: "token" } : call) as Invocation<
      Own,
      Known
    >;
  }

  const table: Options = { ...commandLine.options, ...commonOptions };
  const given = readArguments(table, argv);
  const { print } = given;
  if (print["--help"] !== undefined) return { kind: "print", text: serverHelp(commandLine, commands, table) };
  if (print["--version"] !== undefined) return { kind: "print", text: `${commandLine.version}\n` };
  const options = placePositional(commandLine, given);
  const values = readValues(table, options, env);
  const client = print["--print-config"];
  if (client !== undefined)
    return { kind: "print", text: printConfig(commandLine, table, options, env, client) };
  return { kind: "serve", values: values as Values<Own> };
}
