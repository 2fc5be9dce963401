/**
 * Checks the server.json of every server: the registry's rules, and that it says what package.json and the built
 * server say. `--write` brings the versions up to those of package.json instead.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { findEntryProblems } from "./registry-entry.mjs";
import { runCommand } from "./run-command.mjs";
import { binOf, listServers } from "./workspace.mjs";

const write = process.argv.includes("--write");
for (const server of listServers()) {
  const file = path.join(server.directory, "server.json");
  const text = readFileSync(file, "utf8");
  const { name, version } = server.manifest;
  if (write) {
    writeFileSync(file, text.replaceAll(/("version": )"[^"]*"/g, `$1"${version}"`));
    continue;
  }
  const help = await runCommand(process.execPath, [binOf(server), "--help"], { output: "keep" });
  const problems = findEntryProblems(JSON.parse(text), server.manifest, help.output);
  if (problems.length > 0) process.exitCode = 1;
  for (const problem of problems) console.error(`${name}: ${problem}`);
  if (problems.length === 0) console.log(`${name} ${version}: ok`);
}
