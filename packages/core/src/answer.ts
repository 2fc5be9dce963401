import type { Json } from "./json.ts";

/** An image shown beside the data. `data` are the file's bytes, `mimeType` an `image/…` type. */
export interface Image {
  readonly mimeType: string;
  readonly data: Uint8Array;
}

/** A resource that the reader can fetch by its URI. */
export interface Link {
  readonly uri: string;
  readonly name: string;
  readonly mimeType?: string;
  /** Bytes. */
  readonly size?: number;
}

export interface Extras {
  /** Where the next part begins, for a tool that has `resume`: a JSON value; becomes `next_cursor`. */
  readonly next?: unknown;
  readonly images?: readonly Image[];
  readonly links?: readonly Link[];
  /** Goes into the result's `_meta`. */
  readonly meta?: Readonly<Record<string, Json>>;
}

/** A tool's data with what goes beside it. */
export class Answer<Data> {
  readonly data: Data;
  readonly extras: Extras;

  constructor(data: Data, extras: Extras) {
    this.data = data;
    this.extras = extras;
  }
}
