/**
 * The start-up bench: each built server, a bare Node process and the reference file server, started in turn in
 * the same run; medians. `--rounds N` (15), `--write` puts the table into docs/benchmarks.md.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { installedSize } from "./installed-size.mjs";
import { bareNode, measureStart, median } from "./measure-start.mjs";
import { setUp } from "./set-up.mjs";
import { startArguments } from "./start-arguments.mjs";
import { markdownTable } from "./text-table.mjs";
import { listServers, readJson, root } from "./workspace.mjs";
import { writeSection } from "./write-section.mjs";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "15" }, write: { type: "boolean", default: false } },
});
const rounds = Number(values.rounds);
await setUp();

const folder = mkdtempSync(path.join(tmpdir(), "bench-start-"));
const peerDirectory = path.join(
  root,
  "packages/bench-peers/node_modules/@modelcontextprotocol/server-filesystem",
);
const peer = readJson(path.join(peerDirectory, "package.json"));
/** @type {{ name: string, args: readonly string[], options?: object, size?: { packages: number, bytes: number }, starts: import("./measure-start.mjs").Start[] }[]} */
const subjects = [
  { name: "bare Node process", args: bareNode, starts: [] },
  ...listServers().map((server) => ({
    name: server.folder,
    ...startArguments(server, path.join(folder, server.folder)),
    size: installedSize(server.directory, server.manifest.files),
    starts: [],
  })),
  {
    name: `${peer.name} ${peer.version}`,
    args: [path.join(peerDirectory, Object.values(peer.bin)[0]), folder],
    size: installedSize(peerDirectory, peer.files),
    starts: [],
  },
];
try {
  // Interleaved, so that a machine that grows slower is unfair to none; the first round only warms the disk.
  for (let round = 0; round <= rounds; round++) {
    for (const { args, options, starts } of subjects) {
      const start = await measureStart(args, options);
      if (round > 0) starts.push(start);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const table = markdownTable(
  ["process", "CPU to `initialize`", "time to `initialize`", "memory", "packages", "installed"],
  subjects.map(({ name, size, starts }) => [
    name,
    `${median(starts.map(({ cpuMs }) => cpuMs)).toFixed(0)} ms`,
    `${median(starts.map(({ wallMs }) => wallMs)).toFixed(0)} ms`,
    `${median(starts.map(({ memoryMb }) => memoryMb)).toFixed(0)} MB`,
    size?.packages ?? "",
    size === undefined ? "" : `${Math.ceil(size.bytes / 1000).toLocaleString("en")} kB`,
  ]),
);
const machine = `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} cores, medians of ${rounds} starts.`;
console.log(`${machine}\n\n${table}`);

if (values.write) writeSection("start-up", `${machine}\n\n${table}`);
