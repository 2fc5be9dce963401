/** A version whose content is damaged or missing. */
export interface DamagedVersion {
  readonly app: string;
  readonly path: string;
  readonly version: number;
  /** Whether it is what the file is now. */
  readonly isCurrent: boolean;
}

/** What a check of a whole store found. */
export interface CheckReport {
  /** Contents that were looked at, and their bytes. */
  readonly contents: number;
  readonly bytes: number;
  /** What cannot be repaired: damaged contents are never given out, and storing the same again heals them. */
  readonly damaged: readonly DamagedVersion[];
  /** Chunks of uploads that must be sent again. */
  readonly damagedChunks: readonly { readonly upload: string; readonly seq: number }[];
  /** What the database says of itself, where it is not sound. */
  readonly database: readonly string[];
  /** What was not right and is now, or could be, in words. */
  readonly repaired: readonly string[];
}

export interface CheckOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told of the bytes that were verified, and of all. */
  readonly progress?: ((done: number, total: number) => void) | undefined;
}

/** What a store holds. */
export interface StoreTotals {
  readonly apps: number;
  readonly files: number;
  /** Of current files, equal contents counted in every file. */
  readonly bytes: number;
  readonly historyBytes: number;
  /** What the contents take, equal ones once, chunks of uploads included. */
  readonly physicalBytes: number;
  readonly uploads: number;
}
