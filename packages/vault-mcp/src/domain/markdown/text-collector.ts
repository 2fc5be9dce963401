import { type Definition, takeDefinitions } from "./definitions.ts";
import { type MappedText, type Range, TextMapper } from "./mapped-text.ts";
import { splitRow } from "./table-row.ts";

/** Collects the texts of a note in which links count, and the definitions that its paragraphs begin with. */
export class TextCollector {
  readonly texts: MappedText[] = [];
  readonly definitions = new Map<string, Definition>();
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  /** Whether there is text behind the definitions. */
  addParagraph(lines: readonly Range[]): boolean {
    const mapped = this.#map(lines);
    const used = takeDefinitions(mapped, this.definitions);
    if (used === 0) {
      this.#keep(mapped);
      return mapped.text !== "";
    }
    const skipped = mapped.text.slice(0, used).split("\n").length - 1;
    const left = used >= mapped.text.length ? [] : lines.slice(skipped);
    this.addLines(left);
    return left.length > 0;
  }

  /** Adds the cells of a table's row, each a text of its own. */
  addRow(line: Range): void {
    const cells = splitRow(this.#source.slice(line.start, line.end));
    for (const { start, end } of cells) this.addLines([{ start: line.start + start, end: line.start + end }]);
  }

  addLines(lines: readonly Range[]): void {
    this.#keep(this.#map(lines));
  }

  #keep(mapped: MappedText): void {
    if (mapped.text.includes("[")) this.texts.push(mapped);
  }

  #map(lines: readonly Range[]): MappedText {
    const mapper = new TextMapper();
    for (const [index, { start, end }] of lines.entries()) {
      if (index > 0) mapper.add("\n", lines[index - 1]?.end ?? start, start);
      mapper.add(this.#source.slice(start, end), start, end);
    }
    return mapper.result;
  }
}
