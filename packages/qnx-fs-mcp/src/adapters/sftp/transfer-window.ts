/** How far bytes under way may go, and how many milliseconds of the line they should fill. */
const smallest = 256 * 1024;
const largest = 8 * 1024 * 1024;
const aimMs = 300;
/** Milliseconds over which throughput is measured. */
const sampleMs = 100;
/** At the beginning, as soon as a whole window has passed, so that a fast line with a long way is soon full. */
const firstSampleMs = 20;

/** Bytes after which the buffers that they left behind are freed. */
const gatheredBytes = 4 * 1024 * 1024;

/** Bytes of one request: small ones on a slow line, so that several are under way. */
const piece = { smallest: 32 * 1024, largest: 128 * 1024, inWindow: 8 } as const;

interface Waiting {
  readonly bytes: number;
  readonly start: () => void;
}

/**
 * How many bytes of transfers may be under way at once on a connection: about 300 ms of what the line was measured to
 * carry, 256 KiB to 8 MiB, so that the line is full and a small request behind them does not wait long.
 */
export class TransferWindow {
  readonly #now: () => number;
  readonly #waiting = new Set<Waiting>();
  #limit = smallest;
  #bytesPerMs = 0;
  #underWay = 0;
  #beginning = true;
  #sampleStart = 0;
  #sampleBytes = 0;
  readonly #freeBuffers: () => void;
  #gathered = 0;

  /**
   * @param now milliseconds of a clock that never goes back.
   * @param freeBuffers frees buffers that are held by nothing any more: the SSH library makes a new one for each packet, and V8,
   *   to which they are outside of its heap, lets tens of megabytes of them gather and then stops everything for them.
   */
  constructor(now: () => number, freeBuffers: () => void) {
    this.#now = now;
    this.#freeBuffers = freeBuffers;
  }

  /** The bytes that may be under way now. */
  get limit(): number {
    return this.#limit;
  }

  /** What the line was last measured to carry, in bytes a millisecond; 0 before that. */
  get bytesPerMs(): number {
    return this.#bytesPerMs;
  }

  /** The bytes that one request should carry, a power of two and at most `longest`, which is 32 KiB or more. */
  pieceBytes(longest: number): number {
    let bytes: number = piece.largest;
    while (bytes > piece.smallest && (bytes > longest || bytes * piece.inWindow > this.#limit)) bytes /= 2;
    return bytes;
  }

  /** Takes room where there is some and nobody waits for it. */
  tryTake(bytes: number): boolean {
    if (this.#waiting.size > 0 || !this.#fits(bytes)) return false;
    this.#begin(bytes);
    return true;
  }

  /** Takes room, waiting for it in turn; fails with the signal's reason. */
  async take(bytes: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.tryTake(bytes)) return;
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting.delete(waiting);
        reject(signal.reason);
        this.#serve();
      };
      const waiting: Waiting = {
        bytes,
        start: () => {
          signal.removeEventListener("abort", onAbort);
          resolve();
        },
      };
      this.#waiting.add(waiting);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Gives room back once its bytes have arrived, or never will. */
  give(bytes: number): void {
    this.#underWay -= bytes;
    this.#sampleBytes += bytes;
    this.#gathered += bytes;
    if (this.#gathered >= gatheredBytes) {
      this.#gathered = 0;
      this.#freeBuffers();
    }
    const elapsed = this.#now() - this.#sampleStart;
    const wholeWindow = elapsed >= firstSampleMs && this.#sampleBytes >= this.#limit;
    if (elapsed >= sampleMs || (this.#beginning && wholeWindow)) {
      this.#beginning &&= elapsed < sampleMs;
      this.#bytesPerMs = this.#sampleBytes / elapsed;
      this.#adapt(this.#bytesPerMs * aimMs);
    }
    this.#serve();
  }

  #adapt(aim: number): void {
    // Up at once, down by half at most: one slow moment is not a slow line.
    const next = Math.max(aim, this.#limit / 2);
    this.#limit = Math.round(Math.min(Math.max(next, smallest), largest));
    this.#sampleStart = this.#now();
    this.#sampleBytes = 0;
  }

  #fits(bytes: number): boolean {
    return this.#underWay === 0 || this.#underWay + bytes <= this.#limit;
  }

  #begin(bytes: number): void {
    if (this.#underWay === 0) {
      // The time in which nothing was under way tells nothing about the line.
      this.#sampleStart = this.#now();
      this.#sampleBytes = 0;
    }
    this.#underWay += bytes;
  }

  #serve(): void {
    for (const waiting of this.#waiting) {
      if (!this.#fits(waiting.bytes)) return;
      this.#waiting.delete(waiting);
      this.#begin(waiting.bytes);
      waiting.start();
    }
  }
}
