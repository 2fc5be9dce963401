import { lineCount } from "./content.ts";
import { AppFilesError } from "./errors.ts";
import { lineStart, readVerified } from "./read-window.ts";
import type { StoredContent } from "./store.ts";

/** The most bytes that a UTF-8 character takes. */
const characterBytes = 4;

/** A part of a text file; whole characters. */
export interface TextWindow {
  readonly text: string;
  /** Where it begins, in bytes. */
  readonly offset: number;
  /** Where it ends, in bytes. */
  readonly end: number;
  /** Whether all of the lines that were asked for are in it; true where none were. */
  readonly complete: boolean;
}

/**
 * The text from a byte offset on, about `length` bytes of it, never cut inside a character: it begins with the
 * character that `offset` falls into, and has one character at least.
 *
 * @throws AppFilesError CORRUPT
 */
export async function readTextAt(
  content: StoredContent,
  offset: number,
  length: number,
): Promise<TextWindow> {
  const { size } = content.facts;
  const from = Math.max(0, offset - (characterBytes - 1));
  const bytes = await readVerified(content, from, offset - from + length + characterBytes);
  let start = offset - from;
  while (start > 0 && isContinuation(bytes[start])) start--;
  let end = Math.min(offset - from + length, size - from, bytes.length);
  while (end > start && isContinuation(bytes[end])) end--;
  if (end === start && start < bytes.length) {
    end++;
    while (isContinuation(bytes[end])) end++;
  }
  return { text: decode(bytes.subarray(start, end)), offset: from + start, end: from + end, complete: true };
}

/**
 * The lines from `first` to `last`, both included and counted from 1, with their line ends; about `length` bytes of
 * them at most. `last` may lie beyond the end.
 *
 * @throws AppFilesError INVALID_ARGUMENT for a first line beyond the end, CORRUPT
 */
export async function readLines(
  content: StoredContent,
  first: number,
  last: number,
  length: number,
): Promise<TextWindow> {
  const total = lineCount(content.facts);
  if (first > Math.max(total, 1)) {
    throw new AppFilesError("INVALID_ARGUMENT", {
      argument: "start_line",
      problem: `${first} is beyond the end; the file has ${total} lines`,
      next: `Call again with start_line of ${Math.max(total, 1)} at most.`,
    });
  }
  const start = await lineStart(content, first);
  const window = await readTextAt(content, start, Math.min(length, content.facts.size - start));
  const lines = last - first + 1;
  const cut = endOfLine(window.text, lines);
  if (cut === undefined) return { ...window, complete: window.end === content.facts.size };
  const text = window.text.slice(0, cut);
  return { text, offset: window.offset, end: window.offset + Buffer.byteLength(text), complete: true };
}

/** Where the `count`th line of a text ends, behind its newline; undefined when that is not in the text. */
function endOfLine(text: string, count: number): number | undefined {
  let at = 0;
  for (let line = 0; line < count; line++) {
    const newline = text.indexOf("\n", at);
    if (newline < 0) return undefined;
    at = newline + 1;
  }
  return at;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
