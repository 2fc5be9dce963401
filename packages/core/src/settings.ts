import { parseArgs } from "node:util";
import { nearestName } from "./input.ts";
import type { Options } from "./option.ts";

/** A wrong flag, variable or file: ends the start with its message and exit code 2. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

/** Flags that print something in place of doing it. */
const printFlags = { "--help": undefined, "--version": undefined, "--print-config": "CLIENT" } as const;

export type PrintFlag = keyof typeof printFlags;

/** A command line taken apart: nothing is read as a value yet. */
export interface Given {
  /** Texts by the option's name. */
  readonly options: Readonly<Record<string, readonly string[]>>;
  /** What was given without a flag. */
  readonly positionals: readonly string[];
  readonly print: Readonly<Partial<Record<PrintFlag, string>>>;
}

export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function tokensOf(table: Options, argv: readonly string[]) {
  const options = Object.entries(table).map(([name, { placeholder }]) => {
    const type = placeholder === undefined ? ("boolean" as const) : ("string" as const);
    return [flagOf(name).slice(2), { type }] as const;
  });
  const { tokens } = parseArgs({
    args: [...argv],
    options: {
      ...Object.fromEntries(options),
      help: { type: "boolean", short: "h" },
      version: { type: "boolean", short: "v" },
      "print-config": { type: "string" },
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return tokens;
}

function isPrintFlag(flag: string): flag is PrintFlag {
  return Object.hasOwn(printFlags, flag);
}

/** Takes a command line apart by the options of a table. Throws ConfigurationError for a flag that is not in it. */
export function readArguments(table: Options, argv: readonly string[]): Given {
  const byFlag = new Map(Object.keys(table).map((name) => [flagOf(name), name]));
  const options: Record<string, string[]> = {};
  const positionals: string[] = [];
  const print: Partial<Record<PrintFlag, string>> = {};
  for (const token of tokensOf(table, argv)) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const flag = `--${token.name}`;
    const name = byFlag.get(flag);
    if (name === undefined && !isPrintFlag(flag)) {
      const nearest = nearestName(flag, [...byFlag.keys(), ...Object.keys(printFlags)]);
      const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
      throw new ConfigurationError(`unknown option ${token.rawName}${hint} See --help`);
    }
    const placeholder = isPrintFlag(flag) ? printFlags[flag] : table[name ?? ""]?.placeholder;
    const { value } = token;
    if (
      placeholder !== undefined &&
      (value === undefined || (value.startsWith("--") && token.inlineValue !== true))
    ) {
      throw new ConfigurationError(`${flag} needs a value; see --help`);
    }
    if (isPrintFlag(flag)) print[flag] = value ?? "";
    else if (name !== undefined) options[name] = [...(options[name] ?? []), value ?? "true"];
  }
  return { options, positionals, print };
}

/** The values of a table's options: flags over environment over defaults. Throws ConfigurationError for a wrong one. */
export function readValues(
  table: Options,
  given: Given["options"],
  env: NodeJS.ProcessEnv,
): Record<string, unknown> {
  const values = Object.entries(table).map(([name, { read, env: variable, isList }]) => {
    const fromEnv = variable === undefined ? undefined : env[variable];
    const parts = isList
      ? fromEnv
          ?.split(",")
          .map((part) => part.trim())
          .filter((part) => part !== "")
      : [fromEnv ?? ""];
    const texts = given[name] ?? (fromEnv === undefined || fromEnv === "" ? undefined : parts);
    try {
      return [name, read(texts)];
    } catch (error) {
      const source = given[name] === undefined ? variable : flagOf(name);
      throw new ConfigurationError(
        `${source} ${(error as Error).message}, not ${JSON.stringify(texts?.at(-1))}`,
      );
    }
  });
  return Object.fromEntries(values);
}
