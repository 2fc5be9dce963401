import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { holdHeap } from "../src/heap.ts";

/** Makes objects of which many live for some time, then tells how large the room for new ones became, bytes. */
const churn = `
  const { parentPort } = require("node:worker_threads");
  const { getHeapSpaceStatistics } = require("node:v8");
  parentPort.once("message", () => {
    const kept = [];
    for (let round = 0; round < 100; round += 1) {
      kept.push(Array.from({ length: 3000 }, (_, at) => JSON.parse(JSON.stringify({ at, round }))));
      if (kept.length > 5) kept.shift();
    }
    parentPort.postMessage(getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size);
  });
`;

async function roomAfterChurn(started: () => void): Promise<number> {
  const worker = new Worker(churn, { eval: true });
  await once(worker, "online");
  started();
  worker.postMessage("go");
  const [room] = await once(worker, "message");
  await worker.terminate();
  return room;
}

it("keeps the room for new objects as it is", async () => {
  const usual = await roomAfterChurn(() => {});
  const held = await roomAfterChurn(holdHeap);
  expect(usual).toBeGreaterThan(16_000_000);
  expect(held).toBeLessThan(usual / 4);
});
