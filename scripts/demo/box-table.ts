import { fitText, textWidth } from "./text-width.ts";

/** A column: its heading and how a row is shown in it. */
export interface Column<Row> {
  readonly head: string;
  readonly align?: "left" | "right";
  /** Gives way only when the others cannot any more. */
  readonly isKey?: boolean;
  readonly show: (row: Row) => string;
}

const narrowest = 6;

/** Widths that fill no more than `available` columns: the widest give way first, keys last. */
function fitWidths(natural: readonly number[], keys: readonly boolean[], available: number): number[] {
  const widths = [...natural];
  const shrink = (mayShrink: (index: number) => boolean) => {
    while (widths.reduce((sum, width) => sum + width, 0) > available) {
      const candidates = widths.map((width, index) => (mayShrink(index) ? width : 0));
      const widest = Math.max(...candidates);
      if (widest <= narrowest) return;
      widths[candidates.indexOf(widest)] = widest - 1;
    }
  };
  shrink((index) => !keys[index]);
  shrink(() => true);
  return widths;
}

/** A table in box characters, at most `width` columns of the terminal wide. */
export function boxTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width: number): string {
  // Control characters would move the cursor of the terminal.
  const cells = rows.map((row) => columns.map(({ show }) => show(row).replace(/\p{Cc}/gu, "·")));
  const natural = columns.map(({ head }, index) =>
    Math.max(textWidth(head), ...cells.map((line) => textWidth(line[index] ?? ""))),
  );
  const keys = columns.map(({ isKey = false }) => isKey);
  const widths = fitWidths(natural, keys, width - 3 * columns.length - 1);
  const rule = (left: string, middle: string, right: string) =>
    left + widths.map((size) => "─".repeat(size + 2)).join(middle) + right;
  const line = (texts: readonly string[]) =>
    `│ ${texts.map((text, index) => fitText(text, widths[index] ?? 0, columns[index]?.align)).join(" │ ")} │`;
  return [
    rule("┌", "┬", "┐"),
    line(columns.map(({ head }) => head)),
    rule("├", "┼", "┤"),
    ...cells.map(line),
    rule("└", "┴", "┘"),
  ].join("\n");
}
