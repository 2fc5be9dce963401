import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { nodeBinaries } from "../src/testing/index.ts";

const folder = await mkdtemp(join(tmpdir(), "heap-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/**
 * Makes garbage that lives through a few turns, as what requests bring does, and prints the bytes that V8 holds for its
 * young generation: of this thread, and of another one that did the same.
 */
const load = `
import { setImmediate as turn } from "node:timers/promises";
import { getHeapSpaceStatistics } from "node:v8";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { keepHeapSmall } from "./heap.mjs";

if (isMainThread && process.argv[2] === "small") keepHeapSmall();
const kept = [];
for (let turns = 0; turns < 400; turns++) {
  for (let n = 0; n < 40; n++) kept.push(Array.from({ length: 200 }, (_, index) => ({ index, turns })));
  if (kept.length > 400) kept.splice(0, 200);
  await turn();
}
const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size;
if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url));
  worker.once("message", (ofThread) => console.log(JSON.stringify({ young, ofThread })));
} else parentPort.postMessage(young);
`;

beforeAll(async () => {
  const entryPoints = [fileURLToPath(new URL("../src/heap.ts", import.meta.url))];
  await build({ entryPoints, outfile: join(folder, "heap.mjs"), format: "esm", logLevel: "error" });
  await writeFile(join(folder, "load.mjs"), load);
});

async function held(node: string, ...args: string[]) {
  const { stdout } = await promisify(execFile)(node, [join(folder, "load.mjs"), ...args]);
  return JSON.parse(stdout) as { young: number; ofThread: number };
}

const mib = 1024 * 1024;

test.each(nodeBinaries(process))("the heap stays small under load on $name", async ({ path }) => {
  const usual = await held(path);
  expect(usual.young).toBeGreaterThanOrEqual(32 * mib);
  expect(usual.ofThread).toBeGreaterThanOrEqual(32 * mib);
  // Two halves of 8 MiB, and what V8 moves aside for a moment.
  const small = await held(path, "small");
  expect(small.young).toBeLessThan(28 * mib);
  expect(small.ofThread).toBeLessThan(28 * mib);
});
