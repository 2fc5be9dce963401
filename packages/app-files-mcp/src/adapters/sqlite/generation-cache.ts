/**
 * What was worked out for one state of an app (its files_version is part of the key): match sets, totals,
 * roll-ups. Bounded by weight; what was not used for longest goes first.
 */
export class GenerationCache {
  readonly #entries = new Map<string, { readonly value: unknown; readonly weight: number }>();
  readonly #maxWeight: number;
  #weight = 0;

  /** @param maxWeight In characters, roughly. */
  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight;
  }

  /** The value under `key`, worked out and kept when it is not there. */
  get<Value>(key: string, make: () => Value, weigh: (value: Value) => number): Value {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, known);
      return known.value as Value;
    }
    const value = make();
    const weight = weigh(value) + key.length;
    if (weight > this.#maxWeight) return value;
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const [oldest, entry] of this.#entries) {
      if (this.#weight <= this.#maxWeight) break;
      this.#entries.delete(oldest);
      this.#weight -= entry.weight;
    }
    return value;
  }
}
