import { MalformedPacket, WireReader } from "./wire.ts";

/** The longest packet that is taken; OpenSSH sends 256 KiB at most. */
const longestPacket = 1 << 20;

/** Cuts a stream of bytes into packets (without their length), however the bytes are divided, and copies none of them. */
export class PacketSplitter {
  #chunks: Buffer[] = [];
  #length = 0;
  /** Bytes of the packet that has begun; undefined while its length is not known. */
  #wanted: number | undefined;

  /** The packets that `chunk` completes. */
  push(chunk: Buffer): WireReader[] {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const packets: WireReader[] = [];
    for (;;) {
      this.#wanted ??= this.#takeLength();
      if (this.#wanted === undefined || this.#length < this.#wanted) return packets;
      packets.push(new WireReader(...(this.#take(this.#wanted) as [Buffer])));
      this.#wanted = undefined;
    }
  }

  #takeLength(): number | undefined {
    if (this.#length < 4) return undefined;
    const wanted = Buffer.concat(this.#take(4)).readUInt32BE();
    if (wanted < 1 || wanted > longestPacket) {
      throw new MalformedPacket(`a packet says that it has ${wanted} bytes`);
    }
    return wanted;
  }

  /** The next bytes in their chunks; as many must be there. */
  #take(length: number): Buffer[] {
    const taken: Buffer[] = [];
    this.#length -= length;
    for (let left = length; left > 0; ) {
      const chunk = this.#chunks.shift() as Buffer;
      taken.push(chunk.subarray(0, left));
      if (chunk.length > left) this.#chunks.unshift(chunk.subarray(left));
      left -= Math.min(chunk.length, left);
    }
    return taken;
  }
}
