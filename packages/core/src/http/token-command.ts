import type { ScopeSpec } from "../access.ts";
import type { TokenCall } from "../command-line.ts";
import { ConfigurationError } from "../settings.ts";
import { tokenCommand } from "../token-options.ts";
import { addToken, readTokens, removeToken, type TokenEntry } from "./tokens.ts";

function parseScope(texts: readonly string[], spec: ScopeSpec): TokenEntry["scope"] {
  const known = Object.entries(spec).map(([name, { description }]) => `${name} (${description})`);
  return Object.fromEntries(
    texts.map((text) => {
      const [name = "", value] = text.split(/=(.*)/s);
      const kind = spec[name]?.kind;
      if (kind === undefined || value === undefined) {
        throw new ConfigurationError(
          `--scope must be NAME=VALUE with one of ${known.join(", ") || "none"}, not ${JSON.stringify(text)}`,
        );
      }
      return [name, kind === "switch" ? value === "true" : value.split(",")];
    }),
  );
}

function parseExpiry(text: string, now: number): string {
  const time = Date.parse(text);
  if (!(time > now)) {
    throw new ConfigurationError(`--expires must be a date in the future, not ${JSON.stringify(text)}`);
  }
  return new Date(time).toISOString();
}

/** Carries out `token …` and returns what to print. Throws ConfigurationError. */
export async function runTokenCommand(
  { args: [verb, name], values }: TokenCall,
  spec: ScopeSpec,
  now: number,
): Promise<string> {
  const { tokens: file, readOnly, expires, scope } = values;
  if (file === undefined) throw new ConfigurationError("token needs --tokens FILE");
  if (verb === "list" && name === undefined) {
    const lines = (await readTokens(file)).map((token) => {
      const rights = [token.read_only ? "read-only" : "read and write", JSON.stringify(token.scope)];
      return `${token.id}  ${token.name}  ${rights.join("  ")}  ${token.expires ?? "never expires"}\n`;
    });
    return lines.join("") || "no tokens\n";
  }
  if (verb === "add" && name !== undefined) {
    const end = expires === undefined ? undefined : parseExpiry(expires, now);
    const token = await addToken(file, { name, readOnly, expires: end, scope: parseScope(scope, spec) });
    return `${token}\n`;
  }
  if (verb === "remove" && name !== undefined) {
    if (await removeToken(file, name)) return `removed ${name}\n`;
    throw new ConfigurationError(`there is no token ${JSON.stringify(name)} in ${file}`);
  }
  throw new ConfigurationError(`usage: token ${tokenCommand.usage} --tokens FILE`);
}
