/**
 * Numbers and strings of SFTP packets. Source: draft-ietf-secsh-filexfer-02 (version 3), sections 3 to 5.
 */

/** A packet, or a part of one, that is not what the protocol says. */
export class MalformedPacket extends Error {
  override readonly name = "MalformedPacket";
}

/** Reads a packet's fields in order, from the chunks in which it came; fails rather than read past its end. */
export class WireReader {
  #bytes: Buffer;
  #at = 0;
  #more: readonly Buffer[];
  #left: number;

  constructor(bytes: Buffer, ...more: readonly Buffer[]) {
    this.#bytes = bytes;
    this.#more = more;
    this.#left = more.reduce((sum, { length }) => sum + length, bytes.length);
  }

  get left(): number {
    return this.#left;
  }

  uint8(): number {
    const at = this.#skip(1);
    return this.#bytes.readUInt8(at);
  }

  uint32(): number {
    const at = this.#skip(4);
    return this.#bytes.readUInt32BE(at);
  }

  /** Sizes and offsets; over 2^53, which no file of a target reaches, they lose precision. */
  uint64(): number {
    const at = this.#skip(8);
    return this.#bytes.readUInt32BE(at) * 2 ** 32 + this.#bytes.readUInt32BE(at + 4);
  }

  /** A string's bytes, not copied where they came in one chunk. */
  string(): Buffer {
    return this.bytes(this.uint32());
  }

  bytes(length: number): Buffer {
    const at = this.#skip(length);
    return this.#bytes.subarray(at, at + length);
  }

  /** A string's bytes in the chunks in which they came, never copied. */
  chunks(): Buffer[] {
    const length = this.uint32();
    if (length > this.#left) throw new MalformedPacket("a field is longer than its packet");
    const found: Buffer[] = [];
    for (let wanted = length; wanted > 0; ) {
      const chunk = this.#bytes.subarray(this.#at, this.#at + wanted);
      if (chunk.length > 0) found.push(chunk);
      wanted -= chunk.length;
      if (wanted === 0) this.#at += chunk.length;
      else this.#next();
    }
    this.#left -= length;
    return found;
  }

  #next(): void {
    const [bytes = Buffer.of(), ...more] = this.#more;
    this.#bytes = bytes;
    this.#more = more;
    this.#at = 0;
  }

  /** Where a field of this length begins. */
  #skip(length: number): number {
    if (length > this.#left) throw new MalformedPacket("a field is longer than its packet");
    if (this.#bytes.length - this.#at < length) {
      this.#bytes = Buffer.concat([this.#bytes.subarray(this.#at), ...this.#more]);
      this.#more = [];
      this.#at = 0;
    }
    const start = this.#at;
    this.#at += length;
    this.#left -= length;
    return start;
  }
}

/** Puts a packet's fields together. */
export class WireWriter {
  readonly #parts: Buffer[] = [];

  uint8(value: number): this {
    return this.bytes(Buffer.of(value));
  }

  uint32(value: number): this {
    const part = Buffer.allocUnsafe(4);
    part.writeUInt32BE(value);
    return this.bytes(part);
  }

  uint64(value: number): this {
    const part = Buffer.allocUnsafe(8);
    part.writeBigUInt64BE(BigInt(value));
    return this.bytes(part);
  }

  string(value: Uint8Array | string): this {
    const bytes = typeof value === "string" ? Buffer.from(value, "utf8") : value;
    return this.uint32(bytes.length).bytes(bytes);
  }

  bytes(value: Uint8Array): this {
    this.#parts.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
    return this;
  }

  /** The fields as they are. */
  done(): Buffer {
    return Buffer.concat(this.#parts);
  }

  /** The fields as a packet, their length before them; `more` bytes of it are sent behind. */
  packet(more = 0): Buffer {
    const length = Buffer.allocUnsafe(4);
    length.writeUInt32BE(this.#parts.reduce((sum, part) => sum + part.length, more));
    return Buffer.concat([length, ...this.#parts]);
  }
}
