import type { ClientChannel, ServerChannel } from "ssh2";
import { afterEach, expect, test } from "vitest";
import { makeKey } from "../../../test/scripted-target/make-key.ts";
import { keepWindowOpen } from "./receive-window.ts";
import { loadSsh2 } from "./ssh2-library.ts";

const mebibyte = 1024 * 1024;
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end();
});

/** Both ends of a channel of a real connection, the server's end with what ssh2 keeps of it. */
async function channelPair() {
  const { Client, Server } = await loadSsh2();
  let serve: (channel: ServerChannel) => void = () => {};
  const served = new Promise<ServerChannel>((resolve) => {
    serve = resolve;
  });
  const server = new Server({ hostKeys: [makeKey()] }, (connection) => {
    connection
      .on("authentication", (context) => context.accept())
      .on("session", (accept) => accept().on("exec", (take) => serve(take())))
      .on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => server.close());
  const client = new Client();
  ends.push(() => client.destroy());
  const taken = await new Promise<ClientChannel>((resolve, reject) => {
    client
      .on("error", reject)
      .on("ready", () => client.exec("x", (error, channel) => (error ? reject(error) : resolve(channel))))
      .connect({ port: (server.address() as { port: number }).port, host: "127.0.0.1", username: "u" });
  });
  const given = (await served) as ServerChannel & { outgoing: { window: number } };
  return { taken, given };
}

test("a target may send 8 MiB unasked and no more, and on and on as it is read", async () => {
  const { taken, given } = await channelPair();
  keepWindowOpen(taken);
  taken.pause();
  await expect.poll(() => given.outgoing.window).toBe(8 * mebibyte);
  const all = Buffer.alloc(20 * mebibyte, "x");
  given.write(all);
  expect(given.outgoing.window).toBe(0);
  let came = 0;
  taken.on("data", (chunk: Buffer) => {
    came += chunk.length;
  });
  taken.resume();
  await expect.poll(() => came, { timeout: 20_000 }).toBe(all.length);
  const { incoming } = taken as unknown as { incoming: { window: number } };
  expect(incoming.window).toBeGreaterThan(7 * mebibyte - 1);
  expect(incoming.window).toBeLessThanOrEqual(8 * mebibyte);
});
