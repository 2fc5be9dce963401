/** Bundles a benchmark and runs it: `node packages/app-files-mcp/bench/run.mjs`, with any Node from 20.19 on. */
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const folder = mkdtempSync(join(tmpdir(), "app-files-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const outfile = join(folder, "bench.mjs");
await build({
  entryPoints: [fileURLToPath(new URL("bench.ts", import.meta.url))],
  outfile,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  external: ["libsql"],
  logLevel: "warning",
});
// Where the bundle finds libsql on a Node without SQLite of its own.
symlinkSync(fileURLToPath(new URL("../node_modules", import.meta.url)), join(folder, "node_modules"));
const { runBenchmarks } = await import(pathToFileURL(outfile).href);
await runBenchmarks({ folder: join(folder, "data"), version: process.version });
