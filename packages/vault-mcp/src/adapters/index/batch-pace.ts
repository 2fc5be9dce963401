/** A transaction that took longer makes the next one smaller, one that was over sooner makes it larger, milliseconds. */
const slowMs = 50;
const quickMs = 20;

/** Fewer cost more than they give back: each transaction writes the same pages of the indexes anew. */
const least = 80;
const most = 200;
const charactersOfOne = 2_000;

/**
 * How much goes into one transaction, so that it is over within a tenth of a second on any machine: nobody else may
 * write meanwhile, and the thread cannot end.
 */
export class BatchPace {
  #documents = 50;

  get documents(): number {
    return this.#documents;
  }

  /** UTF-16 units of text; documents of more go alone. */
  get characters(): number {
    return this.#documents * charactersOfOne;
  }

  /** Told of each transaction that was made by this pace. */
  took(milliseconds: number): void {
    if (milliseconds > slowMs) this.#documents = Math.max(least, this.#documents >> 1);
    else if (milliseconds < quickMs) this.#documents = Math.min(most, this.#documents * 2);
  }
}
