import { type MappedText, TextMapper } from "../markdown/mapped-text.ts";
import { type Line, lineAt } from "../note/text-lines.ts";
import type { Notation } from "./link.ts";
import { type QuotedText, readDoubleQuoted, readSingleQuoted } from "./quoted-text.ts";

/** A value of YAML that is text, with its key (dots between nested ones). */
export interface YamlText {
  readonly key: string;
  readonly mapped: MappedText;
  readonly notation: Notation;
}

/**
 * The texts among the values of YAML, with their places; keys and comments are none. It reads what notes have: mappings,
 * lists, plain, quoted and block scalars, flow collections. An unquoted `[[x]]` is a list in a list and gives no text.
 */
export function yamlTexts(text: string, start: number, end: number): YamlText[] {
  const scanner = new YamlScanner(text.slice(0, end));
  scanner.scan(start);
  return scanner.found;
}

const plainKey = /[^\s"'[{#&*!|>%@`][^\n\r]*?(?=:(?:[ \t\r\n]|$))/y;

class YamlScanner {
  readonly found: YamlText[] = [];
  readonly #text: string;
  #keys: readonly { readonly column: number; readonly name: string }[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  scan(start: number): void {
    for (let at = start; at < this.#text.length; ) at = this.#scanLine(lineAt(this.#text, at));
  }

  get #key(): string {
    return this.#keys.map(({ name }) => name).join(".");
  }

  /** Answers where to go on: at the next line, or the one behind a value of several lines. */
  #scanLine(line: Line): number {
    let at = this.#skipSpaces(line.start);
    while (this.#text[at] === "-" && /[ \t]/.test(this.#text.charAt(at + 1))) at = this.#skipSpaces(at + 1);
    const key = this.#readKey(at);
    const column = at - line.start;
    if (key !== undefined) {
      this.#keys = [...this.#keys.filter((outer) => outer.column < column), { column, name: key.name }];
      at = this.#skipSpaces(key.end);
    }
    at = this.#skipProperties(at);
    if (at >= line.end) return line.next;
    const indent = this.#skipSpaces(line.start) - line.start;
    if (/[|>]/.test(this.#text.charAt(at)))
      return this.#readBlock(line, key === undefined ? indent - 1 : indent);
    const end = this.#readValue(at, line.end);
    return end <= line.end ? line.next : lineAt(this.#text, end).next;
  }

  #skipSpaces(from: number): number {
    let at = from;
    while (this.#text[at] === " " || this.#text[at] === "\t") at += 1;
    return at;
  }

  /** Goes over an anchor and a tag. */
  #skipProperties(from: number): number {
    let at = from;
    while (/[&!]/.test(this.#text.charAt(at))) {
      while (at < this.#text.length && !/\s/.test(this.#text.charAt(at))) at += 1;
      at = this.#skipSpaces(at);
    }
    return at;
  }

  #readKey(at: number): { name: string; end: number } | undefined {
    const quoted = this.#readQuoted(at);
    if (quoted !== undefined) {
      const colon = this.#skipSpaces(quoted.end);
      return this.#text[colon] === ":" ? { name: quoted.mapped.text, end: colon + 1 } : undefined;
    }
    plainKey.lastIndex = at;
    const [name] = plainKey.exec(this.#text) ?? [];
    return name === undefined ? undefined : { name: name.trimEnd(), end: at + name.length + 1 };
  }

  #readQuoted(at: number): QuotedText | undefined {
    if (this.#text[at] === '"') return readDoubleQuoted(this.#text, at);
    return this.#text[at] === "'" ? readSingleQuoted(this.#text, at) : undefined;
  }

  /** Reads a value that begins at a place; answers where it ends. */
  #readValue(at: number, lineEnd: number): number {
    const quoted = this.#readQuoted(at);
    if (quoted !== undefined) return this.#addQuoted(at, quoted);
    if (/[[{]/.test(this.#text.charAt(at))) return this.#readFlow(at);
    if (!/["'#*%@`]/.test(this.#text.charAt(at))) this.#addPlain(at, lineEnd);
    return lineEnd;
  }

  #addQuoted(at: number, { mapped, end }: QuotedText): number {
    this.found.push({
      key: this.#key,
      mapped,
      notation: this.#text[at] === '"' ? "yaml-double" : "yaml-single",
    });
    return end;
  }

  #addPlain(start: number, lineEnd: number): void {
    const raw = this.#text.slice(start, lineEnd);
    const comment = raw.search(/[ \t]#/);
    const text = comment < 0 ? raw : raw.slice(0, comment);
    const mapper = new TextMapper();
    mapper.add(text, start, start + text.length);
    this.found.push({ key: this.#key, mapped: mapper.result, notation: "yaml-plain" });
  }

  /** Reads a list or mapping in brackets; only quoted texts in it can hold a link. */
  #readFlow(start: number): number {
    let depth = 0;
    for (let at = start; at < this.#text.length; at += 1) {
      const char = this.#text.charAt(at);
      if (/[[{]/.test(char)) depth += 1;
      else if (/[\]}]/.test(char)) depth -= 1;
      else if (char === "#" && /\s/.test(this.#text.charAt(at - 1))) at = lineAt(this.#text, at).end;
      else if (/["']/.test(char) && /[\s[{,:]/.test(this.#text.charAt(at - 1))) {
        const quoted = this.#readQuoted(at);
        if (quoted === undefined) return this.#text.length;
        const isKey = this.#text[this.#skipSpaces(quoted.end)] === ":";
        at = (isKey ? quoted.end : this.#addQuoted(at, quoted)) - 1;
      }
      if (depth === 0) return at + 1;
    }
    return this.#text.length;
  }

  /** Reads the lines of a `|` or `>` text: those indented by more than `outer`. */
  #readBlock(header: Line, outer: number): number {
    const mapper = new TextMapper();
    let line = lineAt(this.#text, header.next);
    for (; line.start < this.#text.length; line = lineAt(this.#text, line.next)) {
      const first = this.#skipSpaces(line.start);
      if (first < line.end && first - line.start <= outer) break;
      mapper.add(this.#text.slice(line.start, line.next), line.start, line.next);
    }
    this.found.push({ key: this.#key, mapped: mapper.result, notation: "markdown" });
    return line.start;
  }
}
