/** A stretch of a source that stands in another text from `start` on. */
export interface Piece {
  readonly start: number;
  readonly source: number;
  readonly sourceEnd: number;
}

/**
 * A text put together from pieces of a source, such as a paragraph without the marks of its quote, or what a quoted
 * string means. A piece is the source's own characters, or one escape that stands for a character.
 */
export interface MappedText {
  readonly text: string;
  readonly pieces: readonly Piece[];
}

/** A range `[start, end)` of UTF-16 units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The part of the source from which a range of the text comes. */
export function sourceRange({ pieces }: MappedText, { start, end }: Range): Range {
  const first = pieceAt(pieces, start);
  if (first === undefined) return { start, end };
  const source = Math.min(first.source + (start - first.start), first.sourceEnd);
  if (end <= start) return { start: source, end: source };
  const index = pieceIndex(pieces, end - 1);
  const last = pieces[index] ?? first;
  const whole = pieces[index + 1]?.start === end;
  return {
    start: source,
    end: whole ? last.sourceEnd : Math.min(last.source + (end - last.start), last.sourceEnd),
  };
}

function pieceAt(pieces: readonly Piece[], at: number): Piece | undefined {
  return pieces[pieceIndex(pieces, at)];
}

function pieceIndex(pieces: readonly Piece[], at: number): number {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pieces[middle]?.start ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Puts a mapped text together; what is added is either a part of the source or stands for one. */
export class TextMapper {
  readonly #pieces: Piece[] = [];
  #text = "";

  /** Adds `text`, which the source has between the two positions, or spells otherwise there. */
  add(text: string, source: number, sourceEnd: number): void {
    if (text === "") return;
    this.#pieces.push({ start: this.#text.length, source, sourceEnd });
    this.#text += text;
  }

  get result(): MappedText {
    return { text: this.#text, pieces: this.#pieces };
  }
}
