import { createHash } from "node:crypto";

/** What was seen of each watched entry, by its raw name: size and time of modification as one text. */
export type SeenState = ReadonlyMap<string, string>;

const mostStates = 32;

/** The states of watches between their calls, by their contents; the ones that were not used for longest make room. */
export class KeptStates {
  readonly #states = new Map<string, SeenState>();

  put(state: SeenState): string {
    const id = createHash("sha256")
      .update(JSON.stringify([...state]))
      .digest("base64url")
      .slice(0, 16);
    this.#states.delete(id);
    this.#states.set(id, state);
    const [oldest] = this.#states.keys();
    if (this.#states.size > mostStates) this.#states.delete(oldest as string);
    return id;
  }

  get(id: string): SeenState | undefined {
    const state = this.#states.get(id);
    if (state === undefined) return undefined;
    this.#states.delete(id);
    this.#states.set(id, state);
    return state;
  }
}
