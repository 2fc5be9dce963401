/** How a client starts each server, with the least that it needs; what the user must fill in is asked for where possible. */
const launches =
  /** @type {Record<string, { args: string[], ask?: { id: string, description: string } }>} */ ({
    "vault-mcp": { args: ["/path/to/notes"], ask: { id: "vault_dir", description: "Folder of notes" } },
    "app-files-mcp": { args: [] },
    "qnx-fs-mcp": { args: [] },
  });

/**
 * The part of a README that says how to add the server to each client.
 *
 * @param {string} name the package, which is also what clients call the server
 * @returns {string} Markdown
 */
export function installPart(name) {
  const launch = launches[name];
  if (launch === undefined) throw new Error(`scripts/readme-parts.mjs does not know ${name}`);
  const { args, ask } = launch;
  const entry = { command: "npx", args: ["-y", name, ...args] };
  const asking = ask === undefined ? entry : { command: "npx", args: ["-y", name, `\${input:${ask.id}}`] };
  const inputs = ask === undefined ? "" : `&inputs=${encode([{ type: "promptString", ...ask }])}`;
  const code = `https://insiders.vscode.dev/redirect/mcp/install?name=${name}&config=${encode(asking)}${inputs}`;
  const cursor = `https://cursor.com/en/install-mcp?name=${name}&config=${encodeURIComponent(
    Buffer.from(JSON.stringify(entry)).toString("base64"),
  )}`;
  const inFolder = args.length === 0 ? "" : ", then put your own folder into the configuration";
  return [
    `[![Install in VS Code](https://img.shields.io/badge/VS_Code-install-0098FF)](${code})`,
    `[![Install in Cursor](https://cursor.com/deeplink/mcp-install-dark.svg)](${cursor})`,
    "",
    "| client | how |",
    "|---|---|",
    `| Claude Desktop | open \`${name}-VERSION.mcpb\` of a release, which asks for the settings; or add the block below to \`claude_desktop_config.json\` |`,
    `| Claude Code | \`claude mcp add ${[name, "--", "npx", ...entry.args].join(" ")}\` |`,
    `| VS Code | the button, or \`code --add-mcp '${JSON.stringify({ name, ...entry })}'\` |`,
    `| Cursor | the button${inFolder}; or the block below in \`~/.cursor/mcp.json\` |`,
    "",
    "```json",
    JSON.stringify({ mcpServers: { [name]: entry } }, undefined, 2),
    "```",
  ].join("\n");
}

/**
 * The part of a README that lists the tools.
 *
 * @param {readonly any[]} tools as `tools/list` gives them
 * @returns {string} Markdown
 */
export function toolsPart(tools) {
  const rows = tools.map(({ name, description, annotations }) => {
    const what = firstSentence(description).replace(/[*<]/g, "\\$&").replaceAll("|", "\\|");
    return `| [\`${name}\`](docs/tools.md#${name}) | ${kindOf(annotations)} | ${what} |`;
  });
  return ["| tool | | what it is for |", "|---|---|---|", ...rows].join("\n");
}

/** @param {any} annotations */
function kindOf({ readOnlyHint, destructiveHint }) {
  if (readOnlyHint) return "reads";
  return destructiveHint ? "changes" : "adds";
}

/** @param {string} text */
function firstSentence(text) {
  return /^.*?[.](?=\s|$)/s.exec(text)?.[0].replace(/\s+/g, " ") ?? text;
}

/** @param {unknown} value */
function encode(value) {
  return encodeURIComponent(JSON.stringify(value));
}

/**
 * A text with its marked parts replaced.
 *
 * @param {string} text with `<!-- NAME: written by scripts/docs.mjs -->` … `<!-- end -->`
 * @param {Readonly<Record<string, string>>} parts each must have its place
 */
export function placeParts(text, parts) {
  return Object.entries(parts).reduce((whole, [name, part]) => {
    const place = new RegExp(`(<!-- ${name}: written by scripts/docs.mjs -->\\n)[\\s\\S]*?(\\n<!-- end -->)`);
    if (!place.test(whole)) throw new Error(`there is no place for the part ${name}`);
    return whole.replace(place, (_, before, after) => `${before}\n${part}\n${after}`);
  }, text);
}
