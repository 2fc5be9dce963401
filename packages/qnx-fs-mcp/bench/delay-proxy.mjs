/**
 * A TCP proxy that delays each direction, in a process of its own so that it shares no event loop with what is
 * measured: `node delay-proxy.mjs PORT MILLISECONDS` prints its own port, then a line for each connection.
 */
import { createConnection, createServer } from "node:net";

const [port, delay] = process.argv.slice(2).map(Number);

/** @param {import("node:net").Socket} from @param {import("node:net").Socket} to */
function pass(from, to) {
  from.setNoDelay(true);
  from.on("data", (chunk) => {
    if (delay === 0) to.write(chunk);
    else setTimeout(() => to.write(chunk), delay);
  });
  from.on("close", () => setTimeout(() => to.destroy(), delay));
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
