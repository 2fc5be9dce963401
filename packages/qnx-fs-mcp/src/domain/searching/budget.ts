/** How far one call of a search goes before it answers with what it has. */
export interface SearchBudget {
  readonly ms: number;
  /** Entries that are looked at. */
  readonly entries: number;
  /** Bytes that are read. */
  readonly bytes: number;
}

/** A call takes no more than 45 s, and what it found must still be sent. */
export const searchBudget: SearchBudget = { ms: 20_000, entries: 50_000, bytes: 64 * 1024 * 1024 };

/** Milliseconds of a clock that never goes back. */
export type Clock = () => number;
