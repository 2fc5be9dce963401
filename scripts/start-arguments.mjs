import { mkdirSync } from "node:fs";
import path from "node:path";
import { binOf } from "./workspace.mjs";

/**
 * How to start a built server with every tool it has, on nothing but an empty folder.
 *
 * @param {import("./workspace.mjs").Package} server
 * @param {string} folder an empty folder; becomes its home
 * @param {string} [bin] the file to start; the one that was built, unless said otherwise
 * @returns {{ args: string[], options: { env: NodeJS.ProcessEnv } }}
 */
export function startArguments(server, folder, bin = binOf(server)) {
  const data = path.join(folder, "data");
  mkdirSync(data, { recursive: true });
  /** @type {Record<string, string[]>} */
  const args = {
    "vault-mcp": [data],
    "app-files-mcp": ["--data", path.join(folder, "store"), "--root", data],
    "qnx-fs-mcp": [],
  };
  const own = args[server.folder];
  if (own === undefined) throw new Error(`scripts/start-arguments.mjs does not know ${server.folder}`);
  const env = { PATH: process.env.PATH, HOME: folder, USERPROFILE: folder };
  return { args: [bin, ...own], options: { env } };
}
