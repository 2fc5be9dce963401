/**
 * Numbers and strings of SFTP packets. Source: draft-ietf-secsh-filexfer-02 (version 3), sections 3 to 5.
 */

/** A packet, or a part of one, that is not what the protocol says. */
export class MalformedPacket extends Error {
  override readonly name = "MalformedPacket";
}

/** Reads a packet's fields in order; fails rather than read past its end. */
export class WireReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  uint8(): number {
    return this.#bytes.readUInt8(this.#skip(1));
  }

  uint32(): number {
    return this.#bytes.readUInt32BE(this.#skip(4));
  }

  /** Sizes and offsets; those over 2^53 lose precision, which no file of a target reaches. */
  uint64(): number {
    const at = this.#skip(8);
    return this.#bytes.readUInt32BE(at) * 2 ** 32 + this.#bytes.readUInt32BE(at + 4);
  }

  /** A string's bytes, not copied. */
  string(): Buffer {
    const length = this.uint32();
    const at = this.#skip(length);
    return this.#bytes.subarray(at, at + length);
  }

  /** Where a field of this length begins. */
  #skip(length: number): number {
    if (length > this.left) throw new MalformedPacket("a field is longer than its packet");
    const start = this.#at;
    this.#at += length;
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

  /** The fields as a packet, their length before them. */
  packet(): Buffer {
    const length = Buffer.allocUnsafe(4);
    length.writeUInt32BE(this.#parts.reduce((sum, part) => sum + part.length, 0));
    return Buffer.concat([length, ...this.#parts]);
  }
}
