import { readdirSync, readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { initialize, startRpcServer } from "./rpc-client.mjs";

/**
 * @typedef {object} Start
 * @property {number} wallMs from the spawn to the answer of `initialize`
 * @property {number} cpuMs of all its threads at that moment; NaN where the system does not say
 * @property {number} memoryMb resident, after `tools/list` was answered; NaN where the system does not say
 * @property {any} tools the answer of `tools/list`
 */

/** A Node process that answers two requests and does nothing else: what every server pays. */
export const bareNode = [
  "-e",
  `process.stdin.on("data", (data) => {
    for (const line of String(data).split("\\n")) {
      const id = /"id":(\\d+)/.exec(line)?.[1];
      if (id) process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":{}}\\n');
    }
  });`,
];

/** Starts a server once and ends it. @param {readonly string[]} args @param {object} [options] @returns {Promise<Start>} */
export async function measureStart(args, options) {
  const started = performance.now();
  const server = startRpcServer(args, options);
  try {
    await initialize(server);
    const wallMs = performance.now() - started;
    const cpuMs = cpuOf(server.pid);
    const tools = await server.request("tools/list");
    return { wallMs, cpuMs, memoryMb: memoryOf(server.pid), tools };
  } finally {
    await server.close();
  }
}

/** @param {readonly number[]} numbers */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return Number.isInteger(middle)
    ? ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
    : (sorted[Math.floor(middle)] ?? Number.NaN);
}

/** Milliseconds of CPU that the threads of a process have had; Linux alone tells it finely. @param {number} pid */
function cpuOf(pid) {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const nanoseconds = tasks.map((task) =>
      Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]),
    );
    return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
  } catch {
    return Number.NaN;
  }
}

/** Megabytes of a process that are resident; NaN where the system does not say. @param {number} pid */
export function memoryOf(pid) {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1000;
  } catch {
    return Number.NaN;
  }
}
