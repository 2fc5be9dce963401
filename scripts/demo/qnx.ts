import { writeFileSync } from "node:fs";
import path from "node:path";
import { connect } from "../../packages/core/src/testing/connect.ts";
import {
  type ScriptedTarget,
  startScriptedTarget,
} from "../../packages/qnx-fs-mcp/test/scripted-target/start-scripted-target.ts";
import type { Column } from "./box-table.ts";
import type { Stage } from "./main.ts";
import { ask, showRefusal, showWalk } from "./walk.ts";

type Entry = Record<string, unknown>;

const columns: readonly Column<Entry>[] = [
  { head: "name", isKey: true, show: ({ name }) => String(name) },
  { head: "type", show: ({ type, detail }) => (detail ? `${type} (${detail})` : String(type)) },
  { head: "size", align: "right", show: ({ size }) => String(size ?? "") },
  { head: "mode", show: ({ mode }) => String(mode ?? "") },
  { head: "mtime", show: ({ mtime }) => String(mtime ?? "") },
  { head: "leads to", show: ({ link_target }) => String(link_target ?? "") },
];

const probeOf = ({ probe }: Entry): Entry => (probe ?? {}) as Entry;

const targetColumns: readonly Column<Entry>[] = [
  { head: "target", show: ({ name }) => String(name) },
  { head: "user", show: ({ user }) => String(user) },
  { head: "state", show: ({ state }) => String(state) },
  { head: "SSH server", show: (entry) => String(probeOf(entry).server) },
  { head: "host key", show: (entry) => String(probeOf(entry).host_key) },
  { head: "/tmp leads to", show: (entry) => String(probeOf(entry).tmp_leads_to) },
];

/** The configuration of one target: its address, how to log in, and the host key that it must show. */
function describeTarget({ host, port, user, hostKeyFingerprint }: ScriptedTarget, keyFile: string): string {
  return [
    "targets:",
    "  tb:",
    `    host: ${host}`,
    `    port: ${port}`,
    `    user: ${user}`,
    `    identity_file: ${JSON.stringify(keyFile)}`,
    `    host_key: ${JSON.stringify(hostKeyFingerprint)}`,
    '    read_roots: ["/"]',
    "",
  ].join("\n");
}

/** A QNX-like target behind a real SSH connection: directories by pages, the newest cores, a path that is refused. */
export async function showQnx({ screen, folder, root, node }: Stage): Promise<void> {
  screen.heading("qnx-fs-mcp", "the file system of a QNX target, over SSH");
  const target = await startScriptedTarget();
  try {
    const keyFile = path.join(folder, "id_ed25519");
    writeFileSync(keyFile, target.userKey, { mode: 0o600 });
    const config = path.join(folder, "config.yaml");
    writeFileSync(config, describeTarget(target, keyFile));
    const server = await connect({
      bin: path.join(root, "packages/qnx-fs-mcp/dist/main.js"),
      args: ["--config", config],
      env: { HOME: folder, QNX_FS_STATE: path.join(folder, "qnx-state") },
      node,
    });
    try {
      const { targets } = await ask(server, "target_list", { probe: true });
      screen.call("target_list", { probe: true }, "connected");
      screen.table(targetColumns, targets as Entry[]);

      screen.text("The root, four entries a page:");
      const list = { tool: "file_list", list: "entries", total: "total_entries", key: "name", columns };
      await showWalk(screen, server, { ...list, args: { target: "tb", path: "/", max_entries: 4 } });

      screen.text("Which cores are there, the newest first?");
      const cores = {
        target: "tb",
        path: "/data/var/dumper",
        pattern: "*.core*",
        sort: "mtime",
        order: "desc",
      };
      await showWalk(screen, server, { ...list, args: cores });

      screen.text("A path that is not in its plain form is refused, with the form to use:");
      const args = { target: "tb", path: "/data/var/../var/log/" };
      await showRefusal(screen, server, { tool: "file_list", args, code: "PATH_NOT_NORMALISED" });
    } finally {
      await server.close();
    }
  } finally {
    await target.close();
  }
}
