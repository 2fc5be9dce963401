/**
 * Packs each built server, installs the tarball alone in an empty folder without a network and starts it there:
 * what works only because the workspace lies around it fails here. It runs on the workspace's Node 24 where there
 * is one, since app-files-mcp wants nothing beside it on that.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { initialize, startRpcServer } from "./rpc-client.mjs";
import { runCommand } from "./run-command.mjs";
import { startArguments } from "./start-arguments.mjs";
import { listServers, newestNode, readJson } from "./workspace.mjs";

const node = newestNode() ?? process.execPath;
if (node === process.execPath && !isBuiltin("node:sqlite")) {
  console.log(
    "SKIPPED: starting the installed packages: it takes Node 22.13 or newer, or the workspace's Node 24.",
  );
  process.exit(process.env.CI === "true" ? 1 : 0);
}

const folder = mkdtempSync(path.join(tmpdir(), "packed-"));
try {
  for (const server of listServers()) {
    const alone = path.join(folder, server.folder);
    mkdirSync(alone);
    writeFileSync(path.join(alone, "package.json"), '{ "private": true }\n');
    await npm(["pack", "--silent", "--pack-destination", folder], server.directory);
    const { name, version } = server.manifest;
    const tarball = path.join(folder, `${name}-${version}.tgz`);
    await npm(["install", "--offline", "--no-audit", "--no-fund", "--silent", tarball], alone);

    const installed = path.join(alone, "node_modules", name);
    const bin = path.join(installed, readJson(path.join(installed, "package.json")).bin[name]);
    const { args, options } = startArguments(server, path.join(alone, "home"), bin);
    const running = startRpcServer(args, { ...options, node });
    try {
      const { serverInfo } = await initialize(running);
      if (serverInfo.version !== version)
        throw new Error(`${name} ${version} says it is ${serverInfo.version}`);
      const { tools } = await running.request("tools/list");
      console.log(`${name} ${version}: ${tools.length} tools`);
    } finally {
      await running.close();
    }
    for (const file of ["README.md", "LICENSE", "dist/THIRD_PARTY_NOTICES.txt"]) {
      if (!existsSync(path.join(installed, file))) throw new Error(`${name} is packed without ${file}`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {string[]} args @param {string} cwd */
async function npm(args, cwd) {
  const { code, output } = await runCommand("npm", args, { cwd, output: "keep" });
  if (code !== 0) throw new Error(`npm ${args.join(" ")} failed:\n${output}`);
}
