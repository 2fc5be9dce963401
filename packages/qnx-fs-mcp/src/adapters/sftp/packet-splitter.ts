import { MalformedPacket } from "./wire.ts";

/** The longest packet that is taken; OpenSSH sends 256 KiB at most. */
const longestPacket = 1 << 20;

/** Cuts a stream of bytes into packets (without their length), however the bytes are divided. */
export class PacketSplitter {
  #chunks: Buffer[] = [];
  #length = 0;

  /** The packets that `chunk` completes. */
  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const packets: Buffer[] = [];
    while (this.#length >= 4) {
      const wanted = this.#peekLength();
      if (wanted < 1 || wanted > longestPacket) {
        throw new MalformedPacket(`a packet says that it has ${wanted} bytes`);
      }
      if (this.#length < 4 + wanted) break;
      packets.push(this.#take(4 + wanted).subarray(4));
    }
    return packets;
  }

  #peekLength(): number {
    const first = this.#chunks[0] as Buffer;
    return first.length >= 4 ? first.readUInt32BE(0) : this.#merge().readUInt32BE(0);
  }

  #take(length: number): Buffer {
    const first = this.#chunks[0] as Buffer;
    const bytes = first.length >= length ? first : this.#merge();
    const rest = bytes.subarray(length);
    if (rest.length > 0) this.#chunks[0] = rest;
    else this.#chunks.shift();
    this.#length -= length;
    return bytes.subarray(0, length);
  }

  #merge(): Buffer {
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }
}
