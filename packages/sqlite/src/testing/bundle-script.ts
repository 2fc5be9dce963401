import { symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * Makes one JavaScript file of a TypeScript script, since Node 20 runs no TypeScript, and puts this package's
 * libsql beside it.
 *
 * @param script URL of the `.ts` file.
 * @param folder An existing folder, for this script alone.
 * @returns the path of the file to run.
 */
export async function bundleScript(script: URL, folder: string): Promise<string> {
  const outfile = join(folder, `${basename(script.pathname, ".ts")}.mjs`);
  await build({
    entryPoints: [fileURLToPath(script)],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["libsql"],
    logLevel: "silent",
  });
  await symlink(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(folder, "node_modules"));
  return outfile;
}
