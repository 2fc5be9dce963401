/**
 * The budgets of each built server. What is a size fails the command when it is over; what is measured in time
 * or memory is only told, since a busy machine says nothing about the code. With --sizes that part is left out.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { bareNode, measureStart, median } from "./measure-start.mjs";
import { runCommand } from "./run-command.mjs";
import { startArguments } from "./start-arguments.mjs";
import { markdownTable } from "./text-table.mjs";
import { listServers } from "./workspace.mjs";

const rounds = 5;
const sizesOnly = process.argv.includes("--sizes");
/** @type {{ server: string, what: string, found: string, budget: string, verdict: string }[]} */
const rows = [];
let over = false;

const bare = sizesOnly ? [] : await repeat(rounds, () => measureStart(bareNode));
for (const server of listServers()) {
  const folder = mkdtempSync(path.join(tmpdir(), "budgets-"));
  try {
    const { args, options } = startArguments(server, folder);
    const starts = await repeat(sizesOnly ? 1 : rounds, () => measureStart(args, options));
    const { tools } = /** @type {import("./measure-start.mjs").Start} */ (starts[0]).tools;
    const definitions = tools.map((/** @type {any} */ { name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));

    size(server, "installed packages", 1 + dependencyCount(server.manifest), 1, "");
    size(server, "tarball", (await tarballBytes(server.directory)) / 1000, 400, "kB");
    size(server, "names, descriptions, input schemas", bytes(definitions) / 1000, 20, "kB");
    size(server, "whole tools/list", bytes({ tools }) / 1000, 40, "kB");
    if (!sizesOnly) {
      const cpu = median(starts.map(({ cpuMs }) => cpuMs)) - median(bare.map(({ cpuMs }) => cpuMs));
      measure(server, "CPU to initialize over bare Node", cpu, 200, "ms");
      measure(server, "memory after start", median(starts.map(({ memoryMb }) => memoryMb)), 80, "MB");
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

console.log(
  markdownTable(
    ["server", "what", "found", "budget", ""],
    rows.map(({ server, what, found, budget, verdict }) => [server, what, found, budget, verdict]),
  ),
);
if (over) {
  console.error("A size is over its budget.");
  process.exitCode = 1;
}

/**
 * @param {import("./workspace.mjs").Package} server
 * @param {string} what @param {number} found @param {number} budget @param {string} unit
 */
function size(server, what, found, budget, unit) {
  const verdict = found <= budget ? "ok" : "OVER";
  over ||= verdict === "OVER";
  row(server, what, found, budget, unit, verdict);
}

/**
 * @param {import("./workspace.mjs").Package} server
 * @param {string} what @param {number} found @param {number} budget @param {string} unit
 */
function measure(server, what, found, budget, unit) {
  const verdict = Number.isNaN(found)
    ? "not measured here"
    : found <= budget
      ? "ok"
      : "over, measured here and now";
  row(server, what, found, budget, unit, verdict);
}

/**
 * @param {import("./workspace.mjs").Package} server
 * @param {string} what @param {number} found @param {number} budget @param {string} unit @param {string} verdict
 */
function row(server, what, found, budget, unit, verdict) {
  const number = Number.isInteger(found) ? String(found) : found.toFixed(1);
  rows.push({
    server: server.folder,
    what,
    found: `${number} ${unit}`.trim(),
    budget: `${budget} ${unit}`.trim(),
    verdict,
  });
}

/** What an installation brings besides the server itself. @param {Record<string, any>} manifest */
function dependencyCount({
  dependencies = {},
  optionalDependencies = {},
  peerDependencies = {},
  peerDependenciesMeta = {},
}) {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return Object.keys(dependencies).length + Object.keys(optionalDependencies).length + peers.length;
}

/** @param {string} directory */
async function tarballBytes(directory) {
  const { code, output } = await runCommand("npm", ["pack", "--dry-run", "--json", "--silent"], {
    cwd: directory,
    output: "keep",
  });
  if (code !== 0) throw new Error(`npm pack failed in ${directory}:\n${output}`);
  const report = JSON.parse(output);
  // npm 10 answers with a list, npm 11 and newer with an object by name where several are packed.
  return Object.values(report)[0].size;
}

/** @param {unknown} value */
function bytes(value) {
  return Buffer.byteLength(JSON.stringify(value));
}

/** @template T @param {number} times @param {() => Promise<T>} once */
async function repeat(times, once) {
  const results = [];
  for (let round = 0; round < times; round++) results.push(await once());
  return results;
}
