import { type OnReadOpts, Socket, type SocketConstructorOpts } from "node:net";

/** Bytes that are read at once. */
const readBytes = 256 * 1024;

/**
 * A TCP socket that reads into one buffer again and again, where its reader keeps nothing of what it is given. Node
 * makes a buffer of 64 KiB for each read: most of the garbage of a transfer, and half of the packets cut in two.
 */
export class TargetSocket extends Socket {
  /** Whether each read may go over the one before. Until then its reader is given copies. */
  reusesBuffer = false;

  constructor() {
    const onread: OnReadOpts = {
      buffer: Buffer.allocUnsafeSlow(readBytes),
      callback: (bytes, buffer) => {
        const read = Buffer.from(buffer.buffer, buffer.byteOffset, bytes);
        this.emit("data", this.reusesBuffer ? read : Buffer.from(read));
        return true;
      },
    };
    // The types know it of `createConnection` alone, which hands it on to here.
    super({ noDelay: true, onread } as SocketConstructorOpts);
    // Nothing is read before somebody listens.
    this.pause();
  }
}

/**
 * Whether ssh2 keeps nothing of what it reads in this cipher. It keeps parts of the handshake, and packets of chacha20
 * whose code has not come yet. Its version is pinned.
 */
export function keepsNoReads(cipher: string): boolean {
  return /^aes\d+-(?:gcm|ctr|cbc)/.test(cipher);
}
