import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A server as its users get it. */
export interface PackedServer {
  /** Absolute path of its main.js; there is a space in it, as in many a user's home. */
  readonly bin: string;
  dispose(): Promise<void>;
}

/**
 * Packs a built package and installs the tarball alone in an empty folder, without a network: it depends on nothing.
 * `beside` are packages of the workspace that a user would install next to it.
 */
export async function installPacked(
  packageFolder: string,
  beside: readonly string[] = [],
): Promise<PackedServer> {
  const folder = await mkdtemp(join(tmpdir(), "packed server-"));
  const npm = (args: readonly string[], cwd: string) =>
    run("npm", [...args, "--offline", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"], {
      cwd,
      shell: process.platform === "win32",
    });
  await npm(["pack", "--pack-destination", folder], packageFolder);
  const [tarball] = await readdir(folder);
  if (tarball === undefined) throw new Error(`nothing was packed from ${packageFolder}`);
  // Else npm takes a package of a folder above for the one that the server is installed for.
  await writeFile(join(folder, "package.json"), "{}");
  await npm(["install", `./${tarball}`], folder);
  for (const name of beside) {
    await symlink(join(packageFolder, "node_modules", name), join(folder, "node_modules", name), "junction");
  }
  const { name } = JSON.parse(await readFile(join(packageFolder, "package.json"), "utf8")) as {
    name: string;
  };
  return {
    bin: join(folder, "node_modules", name, "dist", "main.js"),
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}
