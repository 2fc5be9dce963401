import type { Duplex } from "node:stream";

/**
 * Sends what is written in one turn of the event loop at once: ssh2 writes each packet in up to three parts, and each
 * write to a socket is a system call that wakes the other side.
 */
export function gatherWrites(stream: Duplex): void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  let gathering = false;
  const send = (): void => {
    gathering = false;
    stream.uncork();
  };
  stream.write = ((...args: unknown[]): boolean => {
    if (!gathering) {
      gathering = true;
      stream.cork();
      setImmediate(send);
    }
    return write(...args);
  }) as Duplex["write"];
}
