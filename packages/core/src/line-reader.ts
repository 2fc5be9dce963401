interface LineListener {
  line(text: string): void;
  /** A line over the limit: its first and last bytes as text. */
  tooLong(head: string, tail: string): void;
}

/** Bytes kept of either end of a line that is too long. */
const keptBytes = 4_096;

/** Bytes that stay reserved between lines: as much as a pipe gives at once. */
const restingBytes = 64 * 1024;

const newline = 0x0a;

/** Cuts a stream of bytes into lines of at most `maxBytes`; of a longer one it keeps both ends alone. */
export class LineReader {
  readonly #maxBytes: number;
  readonly #listener: LineListener;
  /** Holds the line so far. It grows where it lies and is given back at once: a long line leaves no garbage. */
  readonly #memory: ArrayBuffer;
  #length = 0;
  #head: string | undefined;

  constructor(maxBytes: number, listener: LineListener) {
    this.#maxBytes = maxBytes;
    this.#listener = listener;
    this.#memory = new ArrayBuffer(restingBytes, { maxByteLength: Math.max(maxBytes, restingBytes) });
  }

  /** Bytes of the line that has begun and not ended. */
  get length(): number {
    return this.#length;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#add(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    this.#add(chunk.subarray(start));
  }

  #add(part: Buffer): void {
    if (this.#length + part.length <= this.#maxBytes) {
      this.#append(part);
      return;
    }
    const line = this.#line();
    this.#head ??= Buffer.concat([line.subarray(0, keptBytes), part]).toString("utf8", 0, keptBytes);
    const ends = Buffer.concat([line.subarray(-keptBytes), part.subarray(-keptBytes)]);
    this.#length = 0;
    this.#append(ends.subarray(-keptBytes));
  }

  #append(part: Buffer): void {
    const length = this.#length + part.length;
    if (length > this.#memory.byteLength) this.#memory.resize(length);
    new Uint8Array(this.#memory).set(part, this.#length);
    this.#length = length;
  }

  #finish(): void {
    const head = this.#head;
    const text = (head === undefined ? this.#line() : this.#line().subarray(-keptBytes)).toString();
    this.#head = undefined;
    this.#length = 0;
    if (this.#memory.byteLength > restingBytes) this.#memory.resize(restingBytes);
    if (head === undefined) this.#listener.line(text);
    else this.#listener.tooLong(head, text);
  }

  #line(): Buffer {
    return Buffer.from(this.#memory, 0, this.#length);
  }
}
