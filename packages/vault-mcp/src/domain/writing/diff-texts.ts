/** A change as a unified diff. */
export interface TextDiff {
  /** Empty where nothing changes. */
  readonly text: string;
  /** Whether hunks were left out for want of room; those that are there are whole. */
  readonly isCut: boolean;
}

/**
 * Compares two texts of a file line by line, with three lines of context.
 *
 * @param room characters that the diff may have.
 */
export type DiffTexts = (path: string, before: string, after: string, room: number) => TextDiff;
