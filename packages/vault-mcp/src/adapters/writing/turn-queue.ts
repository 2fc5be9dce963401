interface Turn {
  /** The note that it is about; undefined for a turn that must be alone. */
  readonly note: string | undefined;
  begin(): void;
}

/**
 * The turns of this process's writers, in the order of their coming: those about different notes at once, a few of them;
 * any other alone.
 */
export class TurnQueue {
  readonly #most: number;
  readonly #running = new Set<Turn>();
  #waiting: Turn[] = [];
  #isPaused = false;

  /** @param most turns run at once. */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Resolves when a turn may begin, to what ends it.
   *
   * @throws the signal's reason; nobody else's turn is changed by that.
   */
  enter(signal: AbortSignal, note: string | undefined): Promise<() => void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const giveUp = () => {
        this.#waiting = this.#waiting.filter((other) => other !== turn);
        reject(signal.reason);
        this.#admit();
      };
      const turn: Turn = {
        note,
        begin: () => {
          signal.removeEventListener("abort", giveUp);
          resolve(() => {
            this.#running.delete(turn);
            this.#admit();
          });
        },
      };
      signal.addEventListener("abort", giveUp);
      this.#waiting.push(turn);
      this.#admit();
    });
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** Lets no turn begin until `resume`; those that run go on. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#admit();
  }

  #admit(): void {
    const taken = new Set([...this.#running].map(({ note }) => note));
    for (const turn of [...this.#waiting]) {
      const { size } = this.#running;
      if (this.#isPaused || taken.has(undefined) || size === this.#most) return;
      // Who must be alone waits for all before, and all behind wait for them.
      if (turn.note === undefined && size > 0) return;
      const isFree = !taken.has(turn.note);
      taken.add(turn.note);
      if (!isFree) continue;
      this.#waiting = this.#waiting.filter((other) => other !== turn);
      this.#running.add(turn);
      turn.begin();
    }
  }
}
