interface Look {
  readonly paths: Set<string>;
  readonly done: Promise<void>;
  finish(): void;
}

function newLook(): Look {
  let finish = () => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { paths: new Set(), done, finish };
}

/** Looks at the disk, one after the other; those that are asked for while one runs are put together. */
export class LookQueue {
  readonly #update: (paths: readonly string[]) => Promise<void>;
  #next: Look | undefined;
  #running = false;

  /** @param update looks at some paths; never rejects. */
  constructor(update: (paths: readonly string[]) => Promise<void>) {
    this.#update = update;
  }

  /** Resolves when a look at these paths that began after this call is over. */
  look(paths: readonly string[]): Promise<void> {
    this.#next ??= newLook();
    for (const path of paths) this.#next.paths.add(path);
    const { done } = this.#next;
    if (!this.#running) this.#work();
    return done;
  }

  async #work(): Promise<void> {
    this.#running = true;
    for (let look = this.#next; look !== undefined; look = this.#next) {
      this.#next = undefined;
      await this.#update([...look.paths]);
      look.finish();
    }
    this.#running = false;
  }
}
