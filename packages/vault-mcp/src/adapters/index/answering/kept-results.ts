interface Kept {
  readonly value: unknown;
  readonly bytes: number;
  /** What it was made of: another makes it useless. */
  readonly stage: number;
}

/** Results that are kept for the next question of their kind, the newest up to a size in memory. */
export class KeptResults {
  readonly #mostBytes: number;
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** The result of that name of the same stage; made anew otherwise. */
  get<Result>(name: string, stage: number, make: () => { value: Result; bytes: number }): Result {
    const known = this.#kept.get(name);
    if (known !== undefined) this.#drop(name, known);
    const kept = known?.stage === stage ? known : { ...make(), stage };
    this.#kept.set(name, kept);
    this.#bytes += kept.bytes;
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#bytes <= this.#mostBytes || oldest === name) break;
      this.#drop(oldest, { bytes });
    }
    return kept.value as Result;
  }

  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }

  #drop(name: string, { bytes }: Pick<Kept, "bytes">): void {
    this.#kept.delete(name);
    this.#bytes -= bytes;
  }
}
