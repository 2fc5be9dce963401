import type { LineCursor } from "./line-cursor.ts";

/** A container that goes on while its lines are quoted, or indented far enough. */
export type Container =
  | { readonly kind: "quote" }
  | { readonly kind: "footnote" }
  | {
      readonly kind: "item";
      /** Columns that its lines are indented by. */
      readonly indent: number;
      /** Whether it holds nothing yet. */
      empty: boolean;
    };

const marker = /^(?:[-*+]|(\d{1,9})[.)])(?=[ \t]|$)/;

/**
 * Takes the marker of a list item and the spaces after it; undefined, and nothing taken, where the line begins none.
 * In a paragraph an item begins only with text, and a numbered one only with 1.
 */
export function takeListMarker(cursor: LineCursor, inParagraph: boolean): Container | undefined {
  const match = marker.exec(cursor.rest);
  if (match === null) return undefined;
  const [{ length }, number] = match;
  const rest = cursor.rest.slice(length);
  if (inParagraph && ((number !== undefined && Number(number) !== 1) || rest.trim() === "")) return undefined;
  const outer = cursor.indent;
  cursor.skipIndent();
  cursor.skip(length);
  const wide = cursor.blank || cursor.indent > 4;
  const inner = wide ? 1 : cursor.indent;
  cursor.skipColumns(inner);
  return { kind: "item", indent: outer + length + inner, empty: true };
}

/** Takes what a line must begin with for the container to go on; false, and nothing taken, where it does not. */
export function continueContainer(container: Container, cursor: LineCursor): boolean {
  if (container.kind === "quote") return takeQuoteMark(cursor);
  if (cursor.blank) {
    if (container.kind === "item" && container.empty) return false;
    cursor.skipIndent();
    return true;
  }
  const indent = container.kind === "item" ? container.indent : 4;
  if (cursor.indent < indent) return false;
  cursor.skipColumns(indent);
  return true;
}

/** Takes a `>` and one space. */
export function takeQuoteMark(cursor: LineCursor): boolean {
  if (cursor.indent > 3 || cursor.char !== ">") return false;
  cursor.skipIndent();
  cursor.skip(1);
  if (cursor.indent > 0) cursor.skipColumns(1);
  return true;
}

/** Takes the `[^label]:` of a footnote. */
export function takeFootnoteLabel(cursor: LineCursor): boolean {
  const label = /^\[\^[^[\]\s]{1,999}\]:/.exec(cursor.rest);
  if (label === null) return false;
  cursor.skipIndent();
  cursor.skip(label[0].length);
  cursor.skipIndent();
  return true;
}
