import { clientNames } from "./client-config.ts";
import type { AnyCommandLine, CommandSpec, Commands } from "./command-line.ts";
import type { Options } from "./option.ts";
import { flagOf } from "./settings.ts";

type Row = readonly [left: string, right: string];

function rowsOf(table: Options, positional?: string): Row[] {
  return Object.entries(table).map(([name, { placeholder, description, env }]) => {
    const flag = `${flagOf(name)}${placeholder === undefined ? "" : ` ${placeholder}`}`;
    return [name === positional ? (placeholder ?? name) : flag, `${description}${env ? ` [${env}]` : ""}`];
  });
}

function columns(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join("");
}

/** What `--help` prints of a server. */
export function serverHelp(line: AnyCommandLine, commands: Commands, table: Options): string {
  const { name, version, summary, positional } = line;
  const argument = positional === undefined ? "" : ` [${table[positional]?.placeholder}]`;
  const usages = Object.entries(commands).map(([command, { usage, summary: what }]): Row => {
    return [`${name} ${[command, usage].filter(Boolean).join(" ")}`, what];
  });
  const rows: Row[] = [
    ...rowsOf(table, positional),
    ["--print-config CLIENT", `print the block to paste into ${clientNames.join(", ")}`],
    ["--help", "print this text"],
    ["--version", "print the version"],
  ];
  return `${name} ${version}: ${summary}

Usage:
${columns([[`${name} [options]${argument}`, "speaks MCP over stdin and stdout"], ...usages])}
Options:
${columns(rows)}
Flags win over environment variables (in brackets), these over defaults.
`;
}

/** What `--help` prints of a command. */
export function commandHelp(server: string, command: string, spec: CommandSpec, table: Options): string {
  return `${server} ${command}: ${spec.summary}

Usage: ${[server, command, "[options]", spec.usage].filter(Boolean).join(" ")}

Options:
${columns([...rowsOf(table), ["--help", "print this text"]])}`;
}
