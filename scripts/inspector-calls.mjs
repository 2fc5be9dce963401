import { runCommand } from "./run-command.mjs";
import { outsideTool } from "./workspace.mjs";

/**
 * @typedef {object} InspectorCall one run of the Inspector's command line
 * @property {string} name
 * @property {readonly string[]} args
 * @property {number} [exit] its exit code; 0 unless said otherwise
 * @property {readonly string[]} answer texts that must be in what it prints
 */

/** @param {string} tool @param {object} args */
function callTool(tool, args) {
  return ["--method", "tools/call", "--tool-name", tool, "--tool-args-json", JSON.stringify(args)];
}

/** @type {readonly InspectorCall[]} */
const common = [
  { name: "initialize", args: ["--method", "initialize"], answer: ['"protocolVersion":"2025-11-25"'] },
  // With --strict it ends with 6 when a schema is one that some client cannot take.
  { name: "tools/list, strict", args: ["--method", "tools/list", "--strict"], answer: ['"tools":['] },
];

/** @type {Readonly<Record<string, readonly InspectorCall[]>>} */
const own = {
  "vault-mcp": [
    {
      name: "a call",
      args: callTool("list_documents", { pattern: "Bed 0*.md", limit: 2 }),
      answer: ["Beds/Bed 01.md", "·eot"],
    },
    {
      name: "a refused call",
      args: callTool("read_document", { path: "Beds/No such bed.md" }),
      exit: 5,
      answer: ["NOT_FOUND", "Next: "],
    },
    { name: "resources/list", args: ["--method", "resources/list"], answer: ["vault:///Beds/Bed%2001.md"] },
    {
      name: "resources/templates/list",
      args: ["--method", "resources/templates/list"],
      answer: ["vault:///{+path}"],
    },
    {
      name: "resources/read",
      args: ["--method", "resources/read", "--uri", "vault:///Beds/Bed%2001.md"],
      answer: ["# Bed 1"],
    },
  ],
  "app-files-mcp": [
    {
      name: "a call that writes",
      args: callTool("file_write", { app: "notes", path: "days/monday.txt", text: "rain" }),
      answer: ['"version":1', "·eot"],
    },
    {
      name: "a call that reads, in another process",
      args: callTool("file_read", { app: "notes", path: "days/monday.txt" }),
      answer: ["rain"],
    },
    {
      name: "a refused call",
      args: callTool("file_read", { app: "notes", path: "days/tuesday.txt" }),
      exit: 5,
      answer: ["NOT_FOUND", "Next: "],
    },
    {
      name: "resources/list",
      args: ["--method", "resources/list"],
      answer: ["app-files://notes/days/monday.txt"],
    },
    {
      name: "resources/read",
      args: ["--method", "resources/read", "--uri", "app-files://notes/days/monday.txt"],
      answer: ["rain"],
    },
  ],
  "qnx-fs-mcp": [
    { name: "a call", args: callTool("target_list", {}), answer: ['"targets":[]', "·eot"] },
    {
      name: "a refused call",
      args: callTool("file_list", { target: "tb", path: "/" }),
      exit: 5,
      answer: ["TARGET_NOT_ALLOWED", "Next: "],
    },
  ],
};

/** What to ask of a server, in this order. @param {string} server @returns {readonly InspectorCall[]} */
export function callsFor(server) {
  return [...common, ...(own[server] ?? [])];
}

/**
 * Lets the Inspector start a server over stdio and make one call.
 *
 * @param {InspectorCall} call
 * @param {{ node: string, args: readonly string[], env: NodeJS.ProcessEnv }} server the binary and its arguments
 * @returns {Promise<string[]>} what was not as it should be
 */
export async function inspect({ args, exit = 0, answer }, { node, args: server, env }) {
  const { code, output } = await runCommand(
    node,
    [outsideTool("@modelcontextprotocol/inspector", "mcp-inspector"), "--cli", node, ...server].concat(
      args,
      "--format",
      "json",
      "-q",
    ),
    { env, output: "keep" },
  );
  const missing = answer.filter(
    (text) => !output.includes(text) && !output.includes(JSON.stringify(text).slice(1, -1)),
  );
  const problems = missing.map((text) => `${JSON.stringify(text)} is not in its answer`);
  if (code !== exit) problems.push(`it ended with ${code}, not ${exit}`);
  return problems.length === 0 ? [] : [...problems, output.slice(0, 2_000)];
}
