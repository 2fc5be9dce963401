import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { StdioTransport } from "./stdio.ts";

/** Whether what a message of so many bytes held is gone soon after it was answered. */
async function isFreed(bytes: number): Promise<boolean> {
  const input = new PassThrough();
  const output = new PassThrough().resume();
  const transport = new StdioTransport(input, output);
  let held: WeakRef<object> | undefined;
  const answered = new Promise<void>((resolve, reject) => {
    transport.onmessage = (message) => {
      if ("params" in message && message.params !== undefined) held = new WeakRef(message.params);
      transport.send({ jsonrpc: "2.0", id: 1, result: {} }).then(resolve, reject);
    };
  });
  await transport.start();
  input.write(`{"jsonrpc":"2.0","id":1,"method":"m","params":{"text":"${"x".repeat(bytes)}"}}\n`);
  await answered;
  for (let turns = 0; turns < 10; turns++) await turn();
  if (held === undefined) throw new Error("the message did not come");
  return held.deref() === undefined;
}

test("frees a large message when it was answered", async () => {
  expect(await isFreed(5_000_000)).toBe(true);
  expect(await isFreed(2_000_000)).toBe(true);
});
