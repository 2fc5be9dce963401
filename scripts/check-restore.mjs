/**
 * Carries out what docs/team-NAME.md says of backup and restore, command by command, on a built server with a team's
 * settings, and looks whether everything is back. Paths lie in a temporary folder, and what root does with the service
 * is done to the process.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openHttpClient } from "./http-client.mjs";
import { runCommand } from "./run-command.mjs";
import { binOf, listServers, root } from "./workspace.mjs";

/**
 * What is written before the backup, and how to see it afterwards.
 *
 * @typedef {{ name: string, args: object }} Call
 * @type {Record<string, { args: string[], write: Call[], lose: Call[], see: Call[], use?: Call[] }>}
 */
const worlds = {
  "app-files-mcp": {
    args: ["--data", "/var/lib/app-files-mcp/store"],
    write: [
      { name: "file_write", args: { app: "notes", path: "small.txt", text: "first" } },
      { name: "file_write", args: { app: "notes", path: "large.txt", text: "large ".repeat(50_000) } },
    ],
    lose: [
      { name: "file_write", args: { app: "notes", path: "small.txt", text: "second" } },
      { name: "file_delete", args: { app: "notes", path: "large.txt" } },
    ],
    see: [
      { name: "file_list", args: { app: "notes" } },
      { name: "file_read", args: { app: "notes", path: "small.txt" } },
      { name: "file_read", args: { app: "notes", path: "large.txt" } },
    ],
  },
  "vault-mcp": {
    args: ["/srv/notes"],
    write: [
      { name: "write_document", args: { path: "Plan.md", content: "first" } },
      { name: "append_to_document", args: { path: "Plan.md", content: "second" } },
    ],
    lose: [
      { name: "append_to_document", args: { path: "Plan.md", content: "third" } },
      { name: "delete_document", args: { path: "Plan.md" } },
    ],
    see: [
      { name: "list_documents", args: { wait_for_pending_writes: true } },
      { name: "read_document", args: { path: "Plan.md" } },
    ],
    // The earlier content can be put back, so it was in the backup too.
    use: [{ name: "restore_document", args: { path: "Plan.md", version: "VERSION" } }],
  },
};

for (const server of listServers()) {
  const world = worlds[server.folder];
  if (world === undefined) continue;
  const folder = mkdtempSync(path.join(tmpdir(), "restore-"));
  const service = standIn(server, folder, world.args);
  try {
    const [backup, restore] = commandsOf(server.folder);
    if (backup === undefined || restore === undefined) throw new Error("the guide has no backup");
    await service.run("systemctl start NAME");
    const written = await service.call(world.write);
    await service.run(backup);
    const before = JSON.stringify((await service.call(world.see)).map(comparable));
    await service.call(world.lose);
    await service.run(restore);
    const after = JSON.stringify((await service.call(world.see)).map(comparable));
    if (before !== after)
      throw new Error(`something else is back:\n${before.slice(0, 2_000)}\n${after.slice(0, 2_000)}`);
    const version = String(written.at(-1)?.replaced_version);
    await service.call(JSON.parse(JSON.stringify(world.use ?? []).replace("VERSION", version)));
    console.log(`docs/team-${server.folder}.md: ok`);
  } catch (error) {
    console.error(`docs/team-${server.folder}.md: ${error}`);
    process.exitCode = 1;
  } finally {
    await service.run("systemctl stop NAME").catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What must be the same in another process, on copies of files. @param {Record<string, unknown>} answer */
function comparable({ url, ...rest }) {
  return JSON.stringify(rest).replace(/"created_at":"[^"]*",/g, "");
}

/** The blocks of commands below "Backup and restore". @param {string} name */
function commandsOf(name) {
  const text = readFileSync(path.join(root, `docs/team-${name}.md`), "utf8");
  const section = /## Backup and restore\n(.*?)\n## /s.exec(text)?.[1] ?? "";
  return [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, commands]) => commands ?? "");
}

/**
 * The service and the machine around it, in a folder.
 *
 * @param {import("./workspace.mjs").Package} server @param {string} folder @param {readonly string[]} args
 */
function standIn(server, folder, args) {
  const { name } = server.manifest;
  const inFolder = (/** @type {string} */ text) =>
    text.replace(/(^|\s)(\/(?:var\/lib|var\/cache|srv|backup)\/)/g, `$1${folder}$2`);
  for (const place of ["/var/lib", "/var/cache", "/srv/notes", "/backup", "/bin", `/var/lib/${name}`])
    mkdirSync(folder + place, { recursive: true });
  const tokens = `${folder}/var/lib/${name}/tokens.json`;
  const start = [process.execPath, binOf(server), ...args.map((arg) => inFolder(arg))];
  const log = `${folder}/log`;
  const programs = {
    [name]: `exec ${process.execPath} ${binOf(server)} "$@"`,
    runuser: 'shift 3; exec "$@"',
    systemctl: `if [ "$1" = start ]; then
  : >${log}
  ${start.join(" ")} --http 0 --tokens ${tokens} </dev/null >/dev/null 2>>${log} &
  echo $! >${folder}/pid
  until grep -q "serves http" ${log}; do kill -0 $! || exit 1; sleep 0.05; done
else
  pid=$(cat ${folder}/pid) && kill $pid && while kill -0 $pid 2>/dev/null; do sleep 0.05; done
fi`,
  };
  for (const [program, text] of Object.entries(programs))
    writeFileSync(`${folder}/bin/${program}`, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const env = {
    PATH: `${folder}/bin:${process.env.PATH}`,
    HOME: folder,
    XDG_STATE_HOME: `${folder}/var/lib`,
    XDG_CACHE_HOME: `${folder}/var/cache`,
  };
  const token = execFileSync(path.join(folder, "bin", name), ["token", "add", "ann", "--tokens", tokens], {
    env,
  });
  return {
    async run(/** @type {string} */ commands) {
      const text = inFolder(commands.replaceAll("NAME", name));
      const { code, output } = await runCommand("sh", ["-e", "-c", text], { env, output: "keep" });
      if (code !== 0)
        throw new Error(`${commands}\nended with ${code}: ${output}${readFileSync(log, "utf8")}`);
    },
    /** The answers to calls, one after the other. @param {readonly Call[]} calls */
    async call(calls) {
      const url = /serves (http:\S+)/.exec(readFileSync(log, "utf8"))?.[1] ?? "";
      const client = await openHttpClient(url, { authorization: `Bearer ${String(token).trim()}` });
      const answers = [];
      for (const { name, args } of calls) answers.push((await client.call(name, args)).structuredContent);
      await client.close();
      return answers;
    },
  };
}
