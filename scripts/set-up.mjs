/**
 * What every root command does first: packages installed as the lockfile says, servers built from the sources
 * as they are. Both are skipped when nothing changed, so that it costs next to nothing and needs no network.
 *
 * Imports nothing but Node's own modules: it runs before anything is installed.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fail, runCommand } from "./run-command.mjs";
import { binOf, listPackages, listServers, readJson, root, toolFile } from "./workspace.mjs";

/** Installs and builds where that is needed. Ends the process with one line when it cannot. */
export async function setUp() {
  await install();
  await build();
}

/** Installs the packages of the lockfile, unless that has been done for these very manifests. */
export async function install() {
  checkNode();
  const stamp = path.join(root, "node_modules", ".set-up-stamp");
  const wanted = installationDigest();
  if (isInstalled(stamp, wanted)) return;
  const { packageManager } = readJson(path.join(root, "package.json"));
  console.log(`Installing the packages of pnpm-lock.yaml with ${packageManager} …`);
  rmSync(stamp, { force: true });
  const started = Date.now();
  const { code, output } = await runCommand(
    "npx",
    [
      ...["--prefer-offline", "--fetch-retries=0", "-y", packageManager],
      ...["install", "--frozen-lockfile", "--prefer-offline", "--config.confirmModulesPurge=false"],
    ],
    { output: "keep" },
  );
  const log = path.join(root, "set-up.log");
  rmSync(log, { force: true });
  if (code !== 0) {
    writeFileSync(log, output);
    fail(
      `Set-up failed: ${reasonOf(output, code)} (all of its output: ${path.relative(process.cwd(), log)})`,
    );
  }
  writeFileSync(stamp, wanted);
  console.log(`Installed in ${seconds(started)}.`);
}

/** Builds the servers whose sources changed. */
export async function build() {
  const started = Date.now();
  const { code, output } = await runCommand(
    process.execPath,
    [
      ...[toolFile("turbo"), "run", "build"],
      ...["--output-logs=errors-only", "--log-prefix=none", "--no-color"],
    ],
    { output: "keep" },
  );
  if (code !== 0) {
    process.stderr.write(output);
    fail("Build failed: see above.");
  }
  const missing = listServers().filter((server) => !existsSync(binOf(server)));
  if (missing.length > 0)
    fail(`Build failed: ${missing.map(({ folder }) => folder).join(", ")} gave no bin.`);
  if (!/FULL TURBO/.test(output)) console.log(`Built the servers in ${seconds(started)}.`);
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(`Node ${process.versions.node} is too old: use Node 20.19 or newer.`);
}

/** Of everything that decides what lies in node_modules. */
function installationDigest() {
  const digest = createHash("sha256");
  digest.update(`${process.platform} ${process.arch} ${process.versions.modules}\n`);
  const manifests = listPackages().map(({ directory }) => path.join(directory, "package.json"));
  const files = ["package.json", "pnpm-workspace.yaml", "pnpm-lock.yaml"].map((name) =>
    path.join(root, name),
  );
  for (const file of [...files, ...manifests]) {
    digest
      .update(`${path.relative(root, file)}\n`)
      .update(readFileSync(file))
      .update("\n");
  }
  return digest.digest("hex");
}

/** @param {string} stamp @param {string} wanted */
function isInstalled(stamp, wanted) {
  return (
    existsSync(stamp) &&
    readFileSync(stamp, "utf8") === wanted &&
    listPackages().every(({ directory }) => existsSync(path.join(directory, "node_modules")))
  );
}

/** What went wrong, in words for the one who started the command. @param {string} output @param {number} code */
function reasonOf(output, code) {
  if (code === 127) return "npx was not found; it comes with npm, which comes with Node";
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|network/i.test(output)) {
    return "the registry cannot be reached and the packages are not in the local cache; connect and run it again";
  }
  if (/ENOSPC/.test(output)) return "the disk is full";
  const line = output.split("\n").find((text) => /ERR_|ERR!|\berror\b/i.test(text));
  return (line ?? `the installer ended with code ${code}`).trim();
}

/** @param {number} started */
function seconds(started) {
  return `${((Date.now() - started) / 1000).toFixed(1)} s`;
}
