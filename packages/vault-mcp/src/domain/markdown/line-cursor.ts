/** A place in a line that knows columns: a tab goes on to the next multiple of four, and may be taken in part. */
export class LineCursor {
  readonly text: string;
  readonly end: number;
  offset: number;
  /** Columns before `offset`; within a tab of which a part is taken, more. */
  column = 0;
  /** Where the next character that is no space or tab stands, and how many columns lie before it. */
  next = 0;
  indent = 0;

  constructor(text: string, start: number, end: number) {
    this.text = text;
    this.offset = start;
    this.end = end;
    this.look();
  }

  get blank(): boolean {
    return this.next >= this.end;
  }

  /** The character at `next`; empty at the end of the line. */
  get char(): string {
    return this.next < this.end ? this.text.charAt(this.next) : "";
  }

  /** The line from `next` on. */
  get rest(): string {
    return this.text.slice(this.next, this.end);
  }

  look(): void {
    let at = this.offset;
    let column = this.column;
    for (; at < this.end; at += 1) {
      const unit = this.text.charCodeAt(at);
      if (unit === 0x20) column += 1;
      else if (unit === 0x09) column += 4 - (column % 4);
      else break;
    }
    this.next = at;
    this.indent = column - this.column;
  }

  /** Goes to `next`. */
  skipIndent(): void {
    this.column += this.indent;
    this.offset = this.next;
    this.indent = 0;
  }

  /** Goes over characters that are no tabs. */
  skip(characters: number): void {
    this.offset += characters;
    this.column += characters;
    this.look();
  }

  /** Goes over columns of spaces and tabs, or fewer where the indent is less. */
  skipColumns(columns: number): void {
    let left = Math.min(columns, this.indent);
    while (left > 0) {
      const width = this.text.charCodeAt(this.offset) === 0x09 ? 4 - (this.column % 4) : 1;
      const taken = Math.min(width, left);
      this.column += taken;
      if (taken === width) this.offset += 1;
      left -= taken;
    }
    this.look();
  }
}
