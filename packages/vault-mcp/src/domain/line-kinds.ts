import type { Line } from "./text-lines.ts";

/** What a line of Markdown is as a block: only in `text` do headings, tags and links count. */
export type LineKind = "text" | "blank" | "code" | "comment" | "math";

interface Fence {
  readonly char: string;
  readonly length: number;
  readonly quoted: boolean;
}

const listItem = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;

/** The kind of each line, by CommonMark's rules for fences and indented code, with Obsidian's `$$` blocks. */
export function classifyLines(text: string, lines: readonly Line[]): LineKind[] {
  const kinds: LineKind[] = [];
  let fence: Fence | undefined;
  let until: { kind: "comment" | "math"; mark: string } | undefined;
  let inList = false;
  for (const { start, end } of lines) {
    const line = text.slice(start, end);
    if (fence !== undefined) {
      if (fence.quoted && !/^\s*>/.test(line)) fence = undefined;
      else {
        kinds.push("code");
        if (closes(line, fence)) fence = undefined;
        continue;
      }
    }
    if (until !== undefined) {
      kinds.push(until.kind);
      if (line.includes(until.mark)) until = undefined;
      continue;
    }
    if (line.trim() === "") {
      kinds.push("blank");
      continue;
    }
    const indented = /^(?: {4}| {0,3}\t)/.test(line);
    const previous = kinds.at(-1);
    if (indented && !inList && previous !== "text") {
      kinds.push("code");
      continue;
    }
    // Where a line is not indented, a list ends with the blank line before it.
    if (listItem.test(line)) inList = true;
    else if (previous === "blank" && !/^[ \t]/.test(line)) inList = false;
    fence = opens(line, inList);
    if (fence !== undefined) {
      kinds.push("code");
      continue;
    }
    const trimmed = line.trimStart();
    if (trimmed.startsWith("<!--") && !trimmed.includes("-->", 4)) until = { kind: "comment", mark: "-->" };
    else if (trimmed.startsWith("$$") && !trimmed.includes("$$", 2)) until = { kind: "math", mark: "$$" };
    kinds.push(until?.kind ?? "text");
  }
  return kinds;
}

function opens(line: string, inList: boolean): Fence | undefined {
  const match = /^((?:[ \t]*>)*)([ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)$/.exec(line);
  if (match === null) return undefined;
  const [, quote = "", indent = "", item = "", run = "", info = ""] = match;
  if (indent.length > 3 && !inList && item === "") return undefined;
  if (run.startsWith("`") && info.includes("`")) return undefined;
  return { char: run.charAt(0), length: run.length, quoted: quote !== "" };
}

function closes(line: string, { char, length, quoted }: Fence): boolean {
  const bare = (quoted ? line.replace(/^(?:[ \t]*>)+/, "") : line).trim();
  return bare.length >= length && bare === char.repeat(bare.length);
}
