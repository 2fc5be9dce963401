import { boxTable, type Column } from "./box-table.ts";
import { fitText } from "./text-width.ts";

/** Where the demo prints: plain lines, as wide as the terminal, in colour only where somebody looks. */
export interface Screen {
  heading(title: string, subtitle: string): void;
  /** A call as it was sent, with what came of it on the right. */
  call(tool: string, args: object, outcome: string): void;
  table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): void;
  text(text: string): void;
  /** A refusal as the caller gets it. */
  refusal(text: string): void;
}

export interface Terminal {
  readonly columns: number | undefined;
  readonly colour: boolean;
  write(text: string): void;
}

const longestCursor = 12;

/** Arguments as JSON; an opaque cursor is shortened. */
function showArguments(args: object): string {
  return JSON.stringify(args, (key, value) => {
    const isLong = typeof value === "string" && value.length > longestCursor;
    if (key === "cursor" && isLong) return `${value.slice(0, longestCursor)}…`;
    return key === "data_base64" ? `${String(value).slice(0, longestCursor)}…` : value;
  });
}

export function createScreen({ columns = 100, colour, write }: Terminal): Screen {
  const width = Math.max(60, Math.min(columns, 140));
  const paint = (code: number, text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const print = (text: string) => write(`${text}\n`);
  return {
    heading(title, subtitle) {
      const line = `━━ ${title} ━━ ${subtitle} `;
      print(`\n${paint(1, `${fitText(line, width - 1).trimEnd()} `.padEnd(width, "━"))}\n`);
    },
    call(tool, args, outcome) {
      const room = width - outcome.length - 2;
      print(`${paint(36, fitText(`▸ ${tool} ${showArguments(args)}`, room))}  ${outcome}`);
    },
    table: (heads, rows) => print(`${boxTable(heads, rows, width)}\n`),
    text: (text) => print(text),
    refusal(text) {
      for (const line of text.split("\n")) print(`  ${paint(33, line)}`);
      print("");
    },
  };
}
