interface LineListener {
  line(text: string): void;
  /** A line over the limit: its first and last bytes as text. */
  tooLong(head: string, tail: string): void;
}

/** Bytes kept of either end of a line that is too long. */
const keptBytes = 4_096;

const newline = 0x0a;

/** Cuts a stream of bytes into lines of at most `maxBytes`; of a longer one it keeps both ends alone. */
export class LineReader {
  readonly #maxBytes: number;
  readonly #listener: LineListener;
  #parts: Buffer[] = [];
  #bytes = 0;
  #head: Buffer | undefined;

  constructor(maxBytes: number, listener: LineListener) {
    this.#maxBytes = maxBytes;
    this.#listener = listener;
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
    if (part.length === 0) return;
    this.#parts.push(part);
    this.#bytes += part.length;
    if (this.#head === undefined && this.#bytes > this.#maxBytes) {
      this.#head = Buffer.from(Buffer.concat(this.#parts).subarray(0, keptBytes));
    }
    if (this.#head !== undefined)
      this.#parts = [Buffer.from(Buffer.concat(this.#parts).subarray(-keptBytes))];
  }

  #finish(): void {
    const text = Buffer.concat(this.#parts).toString();
    const head = this.#head;
    this.#parts = [];
    this.#bytes = 0;
    this.#head = undefined;
    if (head !== undefined) this.#listener.tooLong(head.toString(), text);
    else this.#listener.line(text);
  }
}
