import type { MappedText } from "../markdown/mapped-text.ts";
import { readDoubleQuoted } from "./quoted-text.ts";

/** A string that is a field of an object in the list `nodes` at the top. */
export interface NodeString {
  /** Place of the node in the list. */
  readonly index: number;
  readonly name: string;
  readonly mapped: MappedText;
}

interface Level {
  readonly list: boolean;
  /** Name of the field, or place in the list, that is being read. */
  key: string | number;
}

/** The strings directly in the nodes of a canvas, with their places in its text, which must be valid JSON. */
export function jsonStrings(text: string): NodeString[] {
  const found: NodeString[] = [];
  const levels: Level[] = [];
  const marks = /["{}[\],]/g;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const level = levels.at(-1);
    if (mark[0] === "{" || mark[0] === "[")
      levels.push({ list: mark[0] === "[", key: mark[0] === "[" ? 0 : "" });
    else if (mark[0] === "}" || mark[0] === "]") levels.pop();
    else if (mark[0] === ",") {
      if (typeof level?.key === "number") level.key += 1;
    } else {
      const quoted = readDoubleQuoted(text, mark.index);
      if (quoted === undefined) return found;
      marks.lastIndex = quoted.end;
      if (level === undefined || level.list) continue;
      if (/^[ \t\r\n]*:/.test(text.slice(quoted.end, quoted.end + 1000))) level.key = quoted.mapped.text;
      else if (isInNode(levels)) {
        found.push({ index: Number(levels[1]?.key), name: String(level.key), mapped: quoted.mapped });
      }
    }
  }
  return found;
}

function isInNode(levels: readonly Level[]): boolean {
  return (
    levels.length === 3 && levels[0]?.key === "nodes" && levels[1]?.list === true && levels[2]?.list === false
  );
}
