/**
 * A TCP proxy that delays each direction, in a process of its own so that it shares no event loop with what is
 * measured: `node delay-proxy.mjs PORT MILLISECONDS [BYTES_A_SECOND]` prints its own port, then a line for each
 * connection. With a rate each direction carries so many bytes a second, and holds its sender back.
 */
import { createConnection, createServer } from "node:net";

const [port, delay, rate = 0] = process.argv.slice(2).map(Number);

/** @param {import("node:net").Socket} from @param {import("node:net").Socket} to */
function pass(from, to) {
  from.setNoDelay(true);
  let free = 0;
  // Timers of unlike lengths may swap places: each of them sends what is next.
  /** @type {Buffer[]} */
  const queue = [];
  from.on("data", (chunk) => {
    if (rate > 0) {
      const now = performance.now();
      free = Math.max(free, now) + (chunk.length / rate) * 1000;
      queue.push(chunk);
      setTimeout(() => to.write(queue.shift() ?? Buffer.alloc(0)), free - now + delay);
      // A queue of 100 ms, as a router has.
      if (free - now > 100) {
        from.pause();
        setTimeout(() => from.resume(), free - now - 100);
      }
    } else if (delay === 0) to.write(chunk);
    else setTimeout(() => to.write(chunk), delay);
  });
  from.on("close", () => setTimeout(() => to.destroy(), delay + Math.max(0, free - performance.now()) + 1));
  from.on("error", () => {});
}

const server = createServer((client) => {
  console.log("connection");
  const onward = createConnection(port, "127.0.0.1");
  pass(client, onward);
  pass(onward, client);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") console.log(address.port);
});
