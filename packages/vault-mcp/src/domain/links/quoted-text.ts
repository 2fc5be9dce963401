import { type MappedText, TextMapper } from "../markdown/mapped-text.ts";

/** What a quoted string means, and where it ends: after its closing quote. */
export interface QuotedText {
  readonly mapped: MappedText;
  readonly end: number;
}

const escapes: Readonly<Record<string, string>> = {
  "0": "\0",
  a: "\x07",
  b: "\b",
  t: "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  e: "\x1b",
  N: "\x85",
  _: "\xa0",
  L: "\u2028",
  P: "\u2029",
};

/** The string in double quotes that begins at a place, of JSON or YAML; undefined where it is not closed. */
export function readDoubleQuoted(text: string, at: number): QuotedText | undefined {
  const mapper = new TextMapper();
  const marks = /["\\]/g;
  for (let from = at + 1; ; ) {
    marks.lastIndex = from;
    const mark = marks.exec(text);
    if (mark === null) return undefined;
    mapper.add(text.slice(from, mark.index), from, mark.index);
    if (mark[0] === '"') return { mapped: mapper.result, end: mark.index + 1 };
    const { value, end } = readEscape(text, mark.index);
    mapper.add(value, mark.index, end);
    from = end;
  }
}

function readEscape(text: string, at: number): { value: string; end: number } {
  const [, hex = ""] = /^(?:x(..)|u(....)|U(.{8}))/.exec(text.slice(at + 1, at + 10))?.filter(Boolean) ?? [];
  if (/^[0-9a-f]+$/i.test(hex) && Number.parseInt(hex, 16) <= 0x10ffff) {
    return { value: String.fromCodePoint(Number.parseInt(hex, 16)), end: at + 2 + hex.length };
  }
  const next = text.charAt(at + 1);
  return { value: escapes[next] ?? next, end: at + 2 };
}

/** YAML's string in single quotes that begins at a place, where two quotes are one. */
export function readSingleQuoted(text: string, at: number): QuotedText | undefined {
  const mapper = new TextMapper();
  for (let from = at + 1; ; ) {
    const quote = text.indexOf("'", from);
    if (quote < 0) return undefined;
    mapper.add(text.slice(from, quote), from, quote);
    if (text[quote + 1] !== "'") return { mapped: mapper.result, end: quote + 1 };
    mapper.add("'", quote, quote + 2);
    from = quote + 2;
  }
}
