/**
 * The load bench: each built server over HTTP on loopback with `--clients N` (50) sessions that call one after the
 * other, for `--seconds N` (60), or with `--soak N` until that many calls were made. `--server NAME` takes one of them;
 * `--write` puts the table into docs/benchmarks.md. Limits on requests are raised, since all clients are one caller.
 * It fails where a call failed, or a soak's memory at the end is over 120 % of that after the first thousand calls.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { makeWorld } from "./bench-worlds.mjs";
import { openHttpClient } from "./http-client.mjs";
import { startHttpServer } from "./http-server.mjs";
import { memoryOf } from "./measure-start.mjs";
import { setUp } from "./set-up.mjs";
import { markdownTable } from "./text-table.mjs";
import { listServers, newestNode } from "./workspace.mjs";
import { writeSection } from "./write-section.mjs";

const { values } = parseArgs({
  options: {
    clients: { type: "string", default: "50" },
    seconds: { type: "string", default: "60" },
    soak: { type: "string" },
    server: { type: "string" },
    write: { type: "boolean", default: false },
  },
});
const clients = Number(values.clients);
const soak = values.soak === undefined ? undefined : Number(values.soak);
const early = 1_000;
await setUp();

const node = newestNode() ?? process.execPath;
const servers = listServers().filter(({ folder }) => values.server === undefined || folder === values.server);
const folder = mkdtempSync(path.join(tmpdir(), "bench-http-"));
/** @type {string[][]} */
const rows = [];
/** @type {string[]} */
const about = [];
try {
  for (const server of servers) {
    const place = path.join(folder, server.folder);
    mkdirSync(place);
    const world = await makeWorld(server, place);
    try {
      const found = await measure(world, path.join(folder, `${server.folder}-home`));
      rows.push([server.folder, ...found.row]);
      about.push(`- ${server.folder}: ${world.about}. p50 / p99: ${found.tools}.`);
    } finally {
      await world.close();
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const length = soak === undefined ? `${values.seconds} s` : `${soak.toLocaleString("en")} calls`;
const head = [
  "server",
  "calls",
  "calls/s",
  "p50",
  "p99",
  "failed",
  "memory at 1,000 calls",
  "half-way",
  "at the end",
  "grown",
];
const machine = `Node ${process.versions.node} for the clients, Node ${node === process.execPath ? process.versions.node : "24"} for the servers, ${process.platform} ${process.arch}, ${cpus().length} cores for both; ${clients} clients, ${length} each.`;
const text = [machine, markdownTable(head, rows), about.join("\n")].join("\n\n");
console.log(text);
if (values.write) writeSection(soak === undefined ? "load" : "soak", text);

/**
 * @param {import("./bench-worlds.mjs").World} world @param {string} home
 * @returns {Promise<{ row: string[], tools: string }>} a row of the table; p50 and p99 of each tool
 */
async function measure(world, home) {
  mkdirSync(home);
  const env = { PATH: process.env.PATH, HOME: home };
  const args = [...world.args, "--requests-per-minute", "1000000", "--concurrent", "1000"];
  const server = await startHttpServer(args, { node, env });
  /** @type {number[]} */
  const latencies = [];
  /** @type {string[]} */
  const failures = [];
  /** @type {Map<string, number[]>} */
  const byTool = new Map();
  let memoryAtFirst = Number.NaN;
  let memoryHalfWay = Number.NaN;
  let started = 0;
  let until = Number.POSITIVE_INFINITY;
  const goesOn = () => (soak === undefined ? performance.now() < until : started < soak);

  const open = await Promise.all(Array.from({ length: clients }, () => openHttpClient(server.url)));
  await Promise.all(
    open.map(async (client, number) => {
      for (const call of world.begin(number)) await client.call(call.name, call.args);
    }),
  );
  const begun = performance.now();
  const halfMs = Number(values.seconds) * 500;
  until = begun + halfMs * 2;
  await Promise.all(
    open.map(async (client, number) => {
      for (let turn = number; goesOn(); turn++) {
        started += 1;
        const { name, args: input } = world.next(number, turn);
        const at = performance.now();
        await client.call(name, input).catch((error) => failures.push(String(error)));
        const taken = performance.now() - at;
        latencies.push(taken);
        const ofTool = byTool.get(name) ?? [];
        byTool.set(name, ofTool);
        ofTool.push(taken);
        if (latencies.length === early) memoryAtFirst = memoryOf(server.pid);
        const isHalf = soak === undefined ? performance.now() > begun + halfMs : started >= soak / 2;
        if (isHalf && Number.isNaN(memoryHalfWay)) memoryHalfWay = memoryOf(server.pid);
      }
    }),
  );
  const seconds = (performance.now() - begun) / 1000;
  const memory = memoryOf(server.pid);
  await Promise.all(open.map((client) => client.close()));
  await server.stop();

  const grown = (memory / memoryAtFirst - 1) * 100;
  if (failures.length > 0 || (soak !== undefined && grown > 20)) process.exitCode = 1;
  for (const failure of new Set(failures.slice(0, 5))) console.error(failure);
  const tools = [...byTool].map(([tool, taken]) => `${tool} ${share(taken, 0.5)} / ${share(taken, 0.99)}`);
  return {
    tools: tools.join(", "),
    row: [
      latencies.length.toLocaleString("en"),
      Math.round(latencies.length / seconds).toLocaleString("en"),
      share(latencies, 0.5),
      share(latencies, 0.99),
      String(failures.length),
      `${memoryAtFirst.toFixed(0)} MB`,
      `${memoryHalfWay.toFixed(0)} MB`,
      `${memory.toFixed(0)} MB`,
      `${grown.toFixed(0)} %`,
    ],
  };
}

/** What a share of the calls took at most. @param {number[]} taken milliseconds @param {number} part */
function share(taken, part) {
  const sorted = taken.sort((a, b) => a - b);
  return `${(sorted[Math.floor(sorted.length * part)] ?? Number.NaN).toFixed(0)} ms`;
}
