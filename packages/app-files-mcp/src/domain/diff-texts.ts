/** A change as a unified diff with three lines of context. */
export interface TextDiff {
  readonly text: string;
  /** Whether it is not all of the change: hunks were left out for want of room or time; those there are whole. */
  readonly isCut: boolean;
}

/** Compares two texts line by line; `room` is the length that the diff may have. */
export type DiffTexts = (path: string, before: string, after: string, room: number) => Promise<TextDiff>;
