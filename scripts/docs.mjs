/**
 * Writes packages/NAME/docs/tools.md and the marked parts of packages/NAME/README.md from the live `tools/list` of each
 * built server. `--check` writes nothing and fails when a file is not what it would write.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { installPart, placeParts, toolsPart } from "./readme-parts.mjs";
import { initialize, startRpcServer } from "./rpc-client.mjs";
import { startArguments } from "./start-arguments.mjs";
import { toolsPage } from "./tools-page.mjs";
import { listServers, root } from "./workspace.mjs";

const check = process.argv.includes("--check");
/** @type {string[]} */
const stale = [];
for (const server of listServers()) {
  const { name } = server.manifest;
  const tools = await listTools(server);
  write(path.join(server.directory, "docs", "tools.md"), toolsPage(name, tools));
  const readme = path.join(server.directory, "README.md");
  const parts = { install: installPart(name), tools: toolsPart(tools) };
  write(readme, placeParts(readFileSync(readme, "utf8"), parts));
}
if (stale.length > 0) {
  console.error(`Out of date: ${stale.join(", ")}. Run: npm run build && node scripts/docs.mjs`);
  process.exitCode = 1;
}

/** Writes a file, or notes that it should be written. @param {string} file @param {string} text */
function write(file, text) {
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  const name = path.relative(root, file);
  if (check) {
    stale.push(name);
    return;
  }
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(`wrote ${name}`);
}

/** @param {import("./workspace.mjs").Package} server @returns {Promise<any[]>} */
async function listTools(server) {
  const folder = mkdtempSync(path.join(tmpdir(), "docs-"));
  const { args, options } = startArguments(server, folder);
  const running = startRpcServer(args, options);
  try {
    await initialize(running);
    return (await running.request("tools/list")).tools;
  } finally {
    await running.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
