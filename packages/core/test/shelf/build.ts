import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Bundles the shelf server into a folder of its own, since Node 20 runs no TypeScript. */
export async function buildShelf(): Promise<{ bin: string; dispose(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "shelf-"));
  const bin = join(folder, "main.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("main.ts", import.meta.url))],
    outfile: bin,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    logLevel: "error",
    banner: {
      js: 'import { createRequire as shelfRequire } from "node:module"; const require = shelfRequire(import.meta.url);',
    },
  });
  return { bin, dispose: () => rm(folder, { recursive: true, force: true }) };
}
