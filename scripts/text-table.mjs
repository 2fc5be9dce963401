/**
 * A Markdown table whose columns are as wide as they need.
 *
 * @param {readonly string[]} head
 * @param {readonly (readonly (string | number)[])[]} rows
 */
export function markdownTable(head, rows) {
  const lines = [head, ...rows].map((cells) => cells.map(String));
  const widths = head.map((_, column) => Math.max(3, ...lines.map((cells) => cells[column]?.length ?? 0)));
  const line = (/** @type {readonly string[]} */ cells) =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |`;
  const [first = [], ...rest] = lines;
  return [line(first), `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...rest.map(line)].join(
    "\n",
  );
}
