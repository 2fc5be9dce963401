export const clientNames = ["claude-desktop", "claude-code", "vscode", "cursor"] as const;

export type ClientName = (typeof clientNames)[number];

/** How a client starts a server. */
export interface Launch {
  readonly name: string;
  /** Packages that npx must put beside it. */
  readonly beside: readonly string[];
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The block to paste into a client's configuration, or for Claude Code the command to run. */
export function writeClientConfig(client: ClientName, { name, beside, args, env }: Launch): string {
  const hasEnv = Object.keys(env).length > 0;
  const packages = beside.length === 0 ? [] : [...beside, name].flatMap((one) => ["-p", one]);
  const entry = { command: "npx", args: ["-y", ...packages, name, ...args], ...(hasEnv && { env }) };
  switch (client) {
    case "claude-code": {
      const variables = Object.entries(env).flatMap(([key, value]) => ["-e", shellQuote(`${key}=${value}`)]);
      return `${["claude mcp add", name, ...variables, "--", "npx", ...entry.args.map(shellQuote)].join(" ")}\n`;
    }
    case "vscode":
      return `${JSON.stringify({ servers: { [name]: { type: "stdio", ...entry } } }, undefined, 2)}\n`;
    default:
      return `${JSON.stringify({ mcpServers: { [name]: entry } }, undefined, 2)}\n`;
  }
}
