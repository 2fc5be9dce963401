/** Lists that are kept for their later pages, the newest few. */
export class KeptLists<List> {
  readonly #lists = new Map<string, List>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(name: string): List | undefined {
    const list = this.#lists.get(name);
    if (list !== undefined) this.keep(name, list);
    return list;
  }

  keep(name: string, list: List): void {
    this.#lists.delete(name);
    this.#lists.set(name, list);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > this.#most && oldest !== undefined) this.#lists.delete(oldest);
  }
}
