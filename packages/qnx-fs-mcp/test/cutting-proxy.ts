import { createConnection, createServer, type Socket } from "node:net";

/** A proxy on loopback that cuts connections after so many bytes. */
export interface CuttingProxy {
  readonly port: number;
  /** Cuts everything once so many more bytes have passed, in both directions together; a part of a chunk passes. */
  cutAfter(bytes: number): void;
  /** Lets everything pass again. */
  heal(): void;
  /** Bytes that have passed so far. */
  passed(): number;
  close(): Promise<void>;
}

export async function startCuttingProxy(port: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let left = Number.POSITIVE_INFINITY;
  let passed = 0;
  const cutAll = (): void => {
    left = Number.POSITIVE_INFINITY;
    for (const socket of sockets) socket.destroy();
  };
  const pass = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from
      .setNoDelay(true)
      .on("data", (chunk: Buffer) => {
        const part = chunk.subarray(0, Math.min(chunk.length, left));
        left -= part.length;
        passed += part.length;
        if (part.length === chunk.length) to.write(chunk);
        else to.write(part, cutAll);
      })
      .on("error", () => {})
      .on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
  };
  const server = createServer((client) => {
    const onward = createConnection(port, "127.0.0.1");
    pass(client, onward);
    pass(onward, client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as { port: number }).port,
    cutAfter: (bytes) => {
      left = bytes;
    },
    heal: () => {
      left = Number.POSITIVE_INFINITY;
    },
    passed: () => passed,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cutAll();
      }),
  };
}
