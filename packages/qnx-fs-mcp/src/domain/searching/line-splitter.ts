/** A line of a file, without its end. */
export interface Line {
  /** Its bytes; of a line that is longer than may be kept, the first ones. */
  readonly bytes: Buffer;
  /** Counted from 1. */
  readonly number: number;
  /** Where the next line begins. */
  readonly end: number;
  readonly cut: boolean;
}

const newline = 0x0a;

/** Cuts bytes into lines as they come. */
export class LineSplitter {
  readonly #longest: number;
  #parts: Buffer[] = [];
  #kept = 0;
  #length = 0;
  #number: number;
  #offset: number;

  /** `longest`: bytes of a line that are kept. The first byte is that of line `number`, at `offset` of the file. */
  constructor(longest: number, { number, offset }: { readonly number: number; readonly offset: number }) {
    this.#longest = longest;
    this.#number = number;
    this.#offset = offset;
  }

  /** The lines that end in a chunk. */
  *push(chunk: Buffer): Generator<Line> {
    let start = 0;
    for (;;) {
      const found = chunk.indexOf(newline, start);
      if (found === -1) break;
      this.#keep(chunk.subarray(start, found));
      this.#length++;
      yield this.#take();
      start = found + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  /** The last line, where the file does not end with a newline. */
  finish(): Line | undefined {
    return this.#length === 0 ? undefined : this.#take();
  }

  #keep(part: Buffer): void {
    const room = this.#longest - this.#kept;
    this.#length += part.length;
    if (room <= 0 || part.length === 0) return;
    this.#parts.push(part.subarray(0, room));
    this.#kept += Math.min(part.length, room);
  }

  #take(): Line {
    const [first] = this.#parts;
    const bytes =
      this.#parts.length === 1 && first !== undefined ? first : Buffer.concat(this.#parts, this.#kept);
    this.#offset += this.#length;
    // The newline is counted in the length, and never kept.
    const line = { bytes, number: this.#number, end: this.#offset, cut: this.#length - 1 > this.#longest };
    this.#number++;
    this.#parts = [];
    this.#kept = 0;
    this.#length = 0;
    return line;
  }
}
