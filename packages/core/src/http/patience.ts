/** Milliseconds that a client may take. */
export interface HttpPatience {
  /** To send the headers of a request. */
  readonly headers: number;
  /** To send a message. */
  readonly message: number;
  /** To send a file. */
  readonly file: number;
  /** To take anything of what waits for it, or to send anything. Streams carry a sign of life each 15 s. */
  readonly silence: number;
  /** Until a listener's rights are looked at again. */
  readonly listening: number;
}

/** Longer than any honest client needs, shorter than what would let slow ones gather. */
export const usualPatience: HttpPatience = {
  headers: 20_000,
  message: 60_000,
  file: 30 * 60_000,
  silence: 2 * 60_000,
  listening: 60_000,
};
