import { createCollectGarbage } from "./collect-garbage.ts";

/** From how many bytes on a message is large. */
const largeBytes = 1024 * 1024;

/**
 * Frees at once what large messages leave behind. A chunk of 5 MiB is there as bytes, as a line, as a text in it and
 * decoded, and V8, to which most of that is outside of its heap, lets tens of megabytes of it gather first: it took 70
 * MB more at the same pace. A collection of what is new takes 0.2 ms; of everything, twice a message, some 8 ms beside
 * the 70 ms that such a chunk takes anyhow. Small messages never come here.
 */
export class LargeMessages {
  readonly #collect = createCollectGarbage();
  /** Bytes of the line that is coming in whose pieces were freed. */
  #freed = 0;
  #answersDue = false;

  /** A line of so many bytes is coming in: each piece of it was a buffer of its own. */
  coming(bytes: number): void {
    if (bytes < this.#freed) this.#freed = 0;
    if (bytes - this.#freed < largeBytes) return;
    this.#freed = bytes;
    this.#collect("new");
  }

  /** A message has come in whose line had so many bytes, and is going to be answered. */
  came(bytes: number): void {
    if (bytes < largeBytes) return;
    this.#answersDue = true;
    // The line's text is needed no more, but only when nothing on the stack has it.
    queueMicrotask(() => this.#collect("all"));
  }

  /** An answer of so many bytes has been sent. */
  answered(bytes: number): void {
    if (!this.#answersDue && bytes < largeBytes) return;
    this.#answersDue = false;
    // Whoever answered has the message in hand until then.
    setImmediate(() => this.#collect("all"));
  }
}
