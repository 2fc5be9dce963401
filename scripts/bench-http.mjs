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
      rows.push([server.folder, ...found]);
      about.push(`- ${server.folder}: ${world.about}.`);
    } finally {
      await world.close();
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const length = soak === undefined ? `${values.seconds} s` : `${soak.toLocaleString("en")} calls`;
const head = ["server", "calls", "calls/s", "p50", "p99", "failed", "memory at first", "at the end", "grown"];
const machine = `Node ${process.versions.node} for the clients, Node ${node === process.execPath ? process.versions.node : "24"} for the servers, ${process.platform} ${process.arch}, ${cpus().length} cores for both; ${clients} clients, ${length} each.`;
const text = [machine, markdownTable(head, rows), about.join("\n")].join("\n\n");
console.log(text);
if (values.write) writeSection(soak === undefined ? "load" : "soak", text);

/**
 * @param {import("./bench-worlds.mjs").World} world @param {string} home
 * @returns {Promise<string[]>} a row of the table
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
  let memoryAtFirst = Number.NaN;
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
  until = begun + Number(values.seconds) * 1000;
  await Promise.all(
    open.map(async (client, number) => {
      for (let turn = number; goesOn(); turn++) {
        started += 1;
        const { name, args: input } = world.next(number, turn);
        const at = performance.now();
        await client.call(name, input).catch((error) => failures.push(String(error)));
        latencies.push(performance.now() - at);
        if (latencies.length === early) memoryAtFirst = memoryOf(server.pid);
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
  latencies.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return [
    latencies.length.toLocaleString("en"),
    Math.round(latencies.length / seconds).toLocaleString("en"),
    `${at(0.5).toFixed(0)} ms`,
    `${at(0.99).toFixed(0)} ms`,
    String(failures.length),
    `${memoryAtFirst.toFixed(0)} MB`,
    `${memory.toFixed(0)} MB`,
    `${grown.toFixed(0)} %`,
  ];
}
