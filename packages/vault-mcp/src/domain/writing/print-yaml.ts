import { isJsonObject, type Json } from "../json.ts";

/** How a value is written: on the key's own line, or on lines below it. */
export interface PrintedValue {
  /** What follows the colon, without the space; empty for a value on lines of its own. */
  readonly inline: string;
  /** Lines below the key, with their indentation. */
  readonly lines: readonly string[];
}

export interface PrintStyle {
  /** Lists and mappings in brackets. */
  readonly flow: boolean;
  readonly quotes: "single" | "double" | undefined;
  /** Spaces before the key, and before the items of a list below it. */
  readonly indent: number;
  readonly itemIndent: number;
  /** Text of several lines as a block. */
  readonly blockText: boolean;
}

const reserved = /^(?:~|null|true|false|yes|no|on|off|y|n)$/i;
const date = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;
/** Begins with a letter, or with a number that a word follows: nobody reads it as anything but text. */
const wordy = /^(?:[\p{L}_/]|\d+ +\p{L})/u;
/** What YAML takes for a mark inside a plain text, or cannot hold in one. */
const marked = /: |:$| #|^\s|\s$|[\p{Cc}\p{Zl}\p{Zp}\ufeff\ufffe\uffff]/u;

/** Whether a text can stand unquoted, for every reader of YAML 1.1 and 1.2; dates may, as Obsidian writes them. */
function isPlain(text: string, flow: boolean): boolean {
  if (reserved.test(text) || marked.test(text)) return false;
  if (flow && /[,[\]{}:]/.test(text)) return false;
  return wordy.test(text) || date.test(text);
}

function quoteDouble(text: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(text).replace(/[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g, escaped);
}

function printText(text: string, flow: boolean, quotes?: PrintStyle["quotes"]): string {
  if (quotes === "single" && text !== "" && !/[\p{Cc}\p{Zl}\p{Zp}\ufeff\ufffe\uffff]/u.test(text)) {
    return `'${text.replaceAll("'", "''")}'`;
  }
  return quotes === undefined && isPlain(text, flow) ? text : quoteDouble(text);
}

export function printKey(key: string): string {
  const isWord = /^[\p{L}_][\p{L}\p{N}\p{M}_./ -]*$/u.test(key) && !marked.test(key);
  return isWord && !/^(?:null|true|false)$/i.test(key) ? key : quoteDouble(key);
}

function printScalar(value: string | number | boolean | null, flow: boolean): string {
  return typeof value === "string" ? printText(value, flow) : String(value);
}

/** On one line, with brackets. */
function printFlow(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(printFlow).join(", ")}]`;
  if (isJsonObject(value)) {
    // Quoted where plain is not safe between brackets.
    const key = (name: string) => (/[,[\]{}:]/.test(name) ? quoteDouble(name) : printKey(name));
    return `{${Object.entries(value)
      .map(([name, inner]) => `${key(name)}: ${printFlow(inner)}`)
      .join(", ")}}`;
  }
  return printScalar(value as string, true);
}

/** A list or mapping on lines of its own; undefined for what stands on one line. */
function printLines(value: Json, indent: number): string[] | undefined {
  const space = " ".repeat(indent);
  if (Array.isArray(value)) {
    if (value.length === 0) return undefined;
    return value.flatMap((item) => {
      const lines = isJsonObject(item) ? printLines(item, indent + 2) : undefined;
      if (lines === undefined) return [`${space}- ${printFlowOrScalar(item)}`];
      return lines.map((line, index) => (index === 0 ? `${space}- ${line.slice(indent + 2)}` : line));
    });
  }
  if (!isJsonObject(value) || Object.keys(value).length === 0) return undefined;
  return Object.entries(value).flatMap(([key, inner]) => {
    const lines = printLines(inner, indent + 2);
    const name = `${space}${printKey(key)}:`;
    return lines === undefined ? [`${name} ${printFlowOrScalar(inner)}`] : [name, ...lines];
  });
}

function printFlowOrScalar(value: Json): string {
  return typeof value === "object" && value !== null ? printFlow(value) : printScalar(value, false);
}

function printBlockText(text: string, indent: number): PrintedValue {
  const keep = text.endsWith("\n\n") || text === "\n" ? "+" : text.endsWith("\n") ? "" : "-";
  const lines = text.replace(/\n$/, "").split("\n");
  const space = " ".repeat(indent);
  return { inline: `|${keep}`, lines: lines.map((line) => (line === "" ? "" : `${space}${line}`)) };
}

/** Writes a value as the value of a key. */
export function printValue(value: Json, style: PrintStyle): PrintedValue {
  if (value === null) return { inline: "", lines: [] };
  if (typeof value === "string") {
    if (style.blockText && value.includes("\n")) return printBlockText(value, style.indent + 2);
    return { inline: printText(value, false, style.quotes), lines: [] };
  }
  const indent = Array.isArray(value) ? style.itemIndent : style.indent + 2;
  const lines = style.flow ? undefined : printLines(value, indent);
  return lines === undefined ? { inline: printFlowOrScalar(value), lines: [] } : { inline: "", lines };
}
