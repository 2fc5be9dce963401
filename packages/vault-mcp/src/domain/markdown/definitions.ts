import { definitionTailAt, labelAt, normalizeLabel } from "./link-syntax.ts";
import { type MappedText, type Range, sourceRange } from "./mapped-text.ts";

/** A link reference definition: `[label]: destination`. */
export interface Definition {
  /** What stands in the source, without the angle brackets of a pointy one. */
  readonly raw: string;
  readonly pointy: boolean;
  /** Where `raw` stands in the source. */
  readonly range: Range;
}

/** Takes the definitions at the start of a paragraph; answers how many characters they are. The first of a label counts. */
export function takeDefinitions(paragraph: MappedText, definitions: Map<string, Definition>): number {
  const { text } = paragraph;
  let at = 0;
  while (text[at] === "[") {
    const label = labelAt(text, at);
    if (label === undefined || text[label.end + 1] !== ":") break;
    const name = normalizeLabel(text.slice(label.start, label.end));
    if (name === "" || name.startsWith("^")) break;
    const tail = definitionTailAt(text, label.end + 2);
    if (tail === undefined) break;
    const { destination } = tail;
    if (!definitions.has(name)) {
      definitions.set(name, {
        raw: text.slice(destination.start, destination.end),
        pointy: destination.pointy,
        range: sourceRange(paragraph, destination),
      });
    }
    at = tail.end;
  }
  return at;
}
