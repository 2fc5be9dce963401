/**
 * Writes packages/NAME/docs/tools.md from the live `tools/list` of each built server. `--check` writes nothing
 * and fails when a file is not what it would write.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { initialize, startRpcServer } from "./rpc-client.mjs";
import { startArguments } from "./start-arguments.mjs";
import { toolsPage } from "./tools-page.mjs";
import { listServers, root } from "./workspace.mjs";

const check = process.argv.includes("--check");
const stale = [];
for (const server of listServers()) {
  const file = path.join(server.directory, "docs", "tools.md");
  const page = toolsPage(server.manifest.name, await listTools(server));
  if (existsSync(file) && readFileSync(file, "utf8") === page) continue;
  const name = path.relative(root, file);
  if (check) {
    stale.push(name);
    continue;
  }
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, page);
  console.log(`wrote ${name}`);
}
if (stale.length > 0) {
  console.error(`Out of date: ${stale.join(", ")}. Run: npm run build && node scripts/docs.mjs`);
  process.exitCode = 1;
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
