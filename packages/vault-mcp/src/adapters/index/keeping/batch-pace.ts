/** What a transaction is to take, milliseconds: a third of what it may, since not every document is like those before. */
const targetMs = 30;

/** Fewer cost more than they give back: each transaction writes the same pages of the indexes anew. */
const least = 80;
const most = 400;
const charactersOfOne = 2_000;

/**
 * How much goes into one transaction, so that it is over within a tenth of a second on any machine: nobody else may
 * write meanwhile, and the thread cannot end.
 */
export class BatchPace {
  #documents = 80;

  get documents(): number {
    return this.#documents;
  }

  /** UTF-16 units of text; documents of more go alone. */
  get characters(): number {
    return this.#documents * charactersOfOne;
  }

  /** Told of each transaction that was made by this pace. */
  took(milliseconds: number): void {
    const factor = Math.min(2, Math.max(0.5, targetMs / milliseconds));
    this.#documents = Math.min(most, Math.max(least, Math.round(this.#documents * factor)));
  }
}
