/**
 * Packs each built server as a bundle for desktop clients: NAME-VERSION.mcpb in `--out DIR` (bundles/). With
 * `--check` the bundles go to a temporary folder. Either way each is validated, unpacked and started as a client
 * starts it, with the settings that it asks for.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { initialize, startRpcServer } from "./rpc-client.mjs";
import { runCommand } from "./run-command.mjs";
import { startArguments } from "./start-arguments.mjs";
import { listServers, newestNode, outsideTool, readJson, root } from "./workspace.mjs";

const { values } = parseArgs({
  options: { check: { type: "boolean", default: false }, out: { type: "string", default: "bundles" } },
});
const node = newestNode() ?? process.execPath;
if (node === process.execPath && !isBuiltin("node:sqlite")) {
  console.log("SKIPPED: starting the bundles takes Node 22.13 or newer, or the workspace's Node 24.");
  process.exit(process.env.CI === "true" ? 1 : 0);
}
const packer = outsideTool("@anthropic-ai/mcpb");

const folder = mkdtempSync(path.join(tmpdir(), "mcpb-"));
const out = values.check ? folder : path.resolve(root, values.out);
try {
  mkdirSync(out, { recursive: true });
  for (const server of listServers()) {
    const { name, version } = server.manifest;
    const tools = await listTools(server, path.join(folder, `${name}-home`));
    const staged = stage(server, tools, path.join(folder, `${name}-staged`));
    const bundle = path.join(out, `${name}-${version}.mcpb`);
    await mcpb("validate", path.join(staged, "manifest.json"));
    await mcpb("pack", staged, bundle);
    const unpacked = path.join(folder, `${name}-unpacked`);
    await mcpb("unpack", bundle, unpacked);
    const found = await startUnpacked(unpacked, path.join(folder, `${name}-data`));
    const listed = new Set(tools.map((tool) => tool.name));
    const unknown = found.filter((tool) => !listed.has(tool.name));
    if (found.length === 0 || unknown.length > 0)
      throw new Error(
        `${name}: the bundle serves ${found.length} tools, ${unknown.length} of them not listed`,
      );
    const place = values.check ? "" : ` → ${path.relative(root, bundle)}`;
    console.log(
      `${name} ${version}: ${Math.ceil(statSync(bundle).size / 1000)} kB, ${found.length} tools${place}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {string[]} args */
async function mcpb(...args) {
  const { code, output } = await runCommand(process.execPath, [packer, ...args], { output: "keep" });
  if (code !== 0) throw new Error(`mcpb ${args.join(" ")} failed:\n${output}`);
}

/**
 * Lays out the content of a bundle.
 *
 * @param {import("./workspace.mjs").Package} server @param {readonly any[]} tools @param {string} staged
 */
function stage({ directory, manifest }, tools, staged) {
  const own = readJson(path.join(directory, "mcpb.json"));
  const entry = "server/main.js";
  const { args, env } = own.server.mcp_config;
  cpSync(path.join(directory, "dist"), path.join(staged, "server"), { recursive: true });
  writeFileSync(path.join(staged, "package.json"), `${JSON.stringify({ private: true, type: "module" })}\n`);
  for (const file of ["README.md", "LICENSE"]) cpSync(path.join(directory, file), path.join(staged, file));
  const complete = {
    manifest_version: "0.3",
    name: manifest.name,
    version: manifest.version,
    description: manifest.description,
    author: { name: licensee(directory) },
    license: manifest.license,
    keywords: manifest.keywords,
    ...own,
    server: {
      type: "node",
      entry_point: entry,
      mcp_config: { command: "node", args: [`\${__dirname}/${entry}`, ...args], env },
    },
    tools: tools.map(({ name, title }) => ({ name, description: title })),
  };
  writeFileSync(path.join(staged, "manifest.json"), `${JSON.stringify(complete, undefined, 2)}\n`);
  return staged;
}

/** Who holds the licence. @param {string} directory */
function licensee(directory) {
  const found = /^Copyright \(c\) \d+ (.+)$/m.exec(readFileSync(path.join(directory, "LICENSE"), "utf8"));
  if (found?.[1] === undefined) throw new Error(`${directory}/LICENSE names no holder`);
  return found[1];
}

/** @param {import("./workspace.mjs").Package} server @param {string} home @returns {Promise<any[]>} */
async function listTools(server, home) {
  const { args, options } = startArguments(server, home);
  return toolsOf(args, options);
}

/** @param {string[]} args @param {{ env: NodeJS.ProcessEnv }} options @returns {Promise<any[]>} */
async function toolsOf(args, options) {
  const running = startRpcServer(args, { ...options, node });
  try {
    await initialize(running);
    return (await running.request("tools/list")).tools;
  } finally {
    await running.close();
  }
}

/**
 * Starts a bundle as a client does, with its required settings alone, and asks for its tools: fewer than are listed, where a setting adds some.
 *
 * @param {string} unpacked @param {string} data a folder to serve
 */
async function startUnpacked(unpacked, data) {
  const manifest = readJson(path.join(unpacked, "manifest.json"));
  mkdirSync(data);
  const required = Object.entries(manifest.user_config).filter(([, setting]) => setting.required === true);
  const library = pathToFileURL(path.join(path.dirname(packer), "../shared/config.js")).href;
  const launch = await (await import(library)).getMcpConfigForManifest({
    manifest,
    extensionPath: unpacked,
    systemDirs: {},
    userConfig: Object.fromEntries(required.map(([key]) => [key, data])),
    pathSeparator: path.sep,
  });
  const text = JSON.stringify(launch);
  if (text.includes("${")) throw new Error(`${manifest.name}: a setting without a value is left in ${text}`);
  const env = { PATH: process.env.PATH, HOME: data, USERPROFILE: data, ...launch.env };
  return toolsOf(launch.args, { env });
}
