/** Takes the notes of .changeset/ into versions and changelogs, and the versions into each server.json. */
import { runCommand } from "./run-command.mjs";
import { toolFile } from "./workspace.mjs";

for (const args of [
  [toolFile("@changesets/cli", "changeset"), "version"],
  ["scripts/registry-entries.mjs", "--write"],
]) {
  const { code } = await runCommand(process.execPath, args);
  if (code !== 0) process.exit(code);
}
