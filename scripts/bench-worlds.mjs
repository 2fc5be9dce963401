import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { bundleOptions } from "./bundle-options.mjs";
import { binOf, root } from "./workspace.mjs";

/**
 * @typedef {object} World something for a server to work on
 * @property {readonly string[]} args how to start the server on it
 * @property {string} about what it holds and what is asked of it
 * @property {(client: number) => readonly Call[]} begin what a client does once, before anything is measured
 * @property {(client: number, turn: number) => Call} next what a client asks in its turn
 * @property {() => Promise<void>} close
 *
 * @typedef {{ name: string, args: object }} Call
 */

/** @type {Record<string, (server: import("./workspace.mjs").Package, folder: string) => Promise<World>>} */
const worlds = { "vault-mcp": makeVault, "app-files-mcp": makeStore, "qnx-fs-mcp": makeTarget };

/** @param {import("./workspace.mjs").Package} server @param {string} folder an empty folder @returns {Promise<World>} */
export function makeWorld(server, folder) {
  const make = worlds[server.folder];
  if (make === undefined) throw new Error(`scripts/bench-worlds.mjs does not know ${server.folder}`);
  return make(server, folder);
}

const nothing = async () => {};

/** @param {import("./workspace.mjs").Package} server @param {string} folder @returns {Promise<World>} */
async function makeVault(server, folder) {
  const notes = 2_000;
  const nameOf = (/** @type {number} */ n) => `Area ${n % 20}/Note ${n}.md`;
  for (let area = 0; area < 20; area++) mkdirSync(path.join(folder, `Area ${area}`));
  for (let n = 0; n < notes; n++) {
    const status = ["open", "done", "waiting"][n % 3];
    const text = `A line of a note that links to [[Note ${(n * 7) % notes}]] #topic${n % 30}.\n`.repeat(15);
    writeFileSync(
      path.join(folder, nameOf(n)),
      `---\nstatus: ${status}\nweight: ${n}\n---\n# Note ${n}\n\n${text}`,
    );
  }
  return {
    args: [binOf(server), folder],
    about: `${notes} notes of 1 kB, indexed; of 20 calls 11 read_document, 8 list_documents (20 of a status), 1 set_frontmatter`,
    // It waits for the index.
    begin: () => [{ name: "list_documents", args: { limit: 1, wait_for_pending_writes: true } }],
    next(client, turn) {
      if (turn % 20 === 19)
        return { name: "set_frontmatter", args: { path: nameOf(client), set: { weight: turn } } };
      if (turn % 5 < 2) {
        return {
          name: "list_documents",
          args: { folder: `Area ${turn % 20}`, filters: { status: "open" }, limit: 20 },
        };
      }
      return { name: "read_document", args: { path: nameOf((client * 37 + turn) % notes) } };
    },
    close: nothing,
  };
}

/** @param {import("./workspace.mjs").Package} server @param {string} folder @returns {Promise<World>} */
async function makeStore(server, folder) {
  const text = "A line that an app keeps for later.\n".repeat(30);
  const app = (/** @type {number} */ client) => `app-${client % 10}`;
  const file = (/** @type {number} */ client, /** @type {number} */ n) =>
    `client ${client}/file ${n % 20}.txt`;
  return {
    args: [binOf(server), "--data", folder],
    about:
      "10 apps, 20 files of 1 kB a client; of 20 calls 13 file_read, 6 file_list (20 files), 1 file_write, each of which is synced to the disk",
    begin: (client) =>
      Array.from({ length: 20 }, (_, n) => ({
        name: "file_write",
        args: { app: app(client), path: file(client, n), text },
      })),
    next(client, turn) {
      if (turn % 20 === 19) {
        const written = { app: app(client), path: file(client, turn * 3), text: `${text}${turn}` };
        return { name: "file_write", args: written };
      }
      if (turn % 3 === 0) return { name: "file_list", args: { app: app(client), limit: 20 } };
      return { name: "file_read", args: { app: app(client), path: file(client, turn) } };
    },
    close: nothing,
  };
}

/** @param {import("./workspace.mjs").Package} server @param {string} folder @returns {Promise<World>} */
async function makeTarget(server, folder) {
  const outfile = path.join(mkdtempSync(path.join(folder, "sshd-")), "start-sshd.mjs");
  const entry = path.join(root, "packages/qnx-fs-mcp/test/start-sshd.ts");
  await build({ ...bundleOptions, splitting: false, entryPoints: [entry], outfile });
  const { startSshd } = await import(pathToFileURL(outfile).href);
  const sshd = await startSshd();
  const { host, port, user, userKey, fingerprints } = sshd;
  const logs = path.join(folder, "logs");
  mkdirSync(logs);
  for (let n = 0; n < 200; n++) writeFileSync(path.join(logs, `log-${n}.txt`), "a line\n".repeat(n));
  const config = path.join(folder, "config.json");
  const target = { host, port, user, identity_file: userKey, host_key: fingerprints.ed25519 };
  writeFileSync(config, JSON.stringify({ targets: { tb: { ...target, read_roots: [folder] } } }));
  return {
    args: [binOf(server), "--config", config],
    about:
      "OpenSSH's sshd on the same machine as the target, 200 files; of 4 calls 3 file_stat (5 paths), 1 file_list (50 entries)",
    begin: () => [],
    next(client, turn) {
      if (turn % 4 === 3) return { name: "file_list", args: { target: "tb", path: logs, max_entries: 50 } };
      const paths = [0, 1, 2, 3, 4].map((n) => path.join(logs, `log-${(client + turn * 5 + n) % 200}.txt`));
      return { name: "file_stat", args: { target: "tb", paths } };
    },
    close: () => sshd.stop(),
  };
}
