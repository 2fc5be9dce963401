import { blockSize, newlinesIn } from "./content.ts";
import { findIn, longestMatch, type Span, type TextQuery } from "./find-text.ts";
import { readVerified } from "./read-window.ts";
import type { StoredContent } from "./store.ts";

/** A place where a text was found. */
export interface TextHit {
  /** Where the match begins, in bytes. */
  readonly offset: number;
  /** Counted from 1. */
  readonly line: number;
  /** The match with what is around it on its line; `…` where that was cut. */
  readonly snippet: string;
  /** Where the search goes on: behind what the snippet shows of the match's line. */
  readonly next: number;
}

/** One step of a search: a hit, or so much that was looked through. */
export type SearchStep = { readonly hit: TextHit } | { readonly searchedTo: number };

/** Blocks that are looked through in one step. */
const blocksInStep = 8;

/** Bytes that a snippet shows before and after the beginning of a match. */
const before = 80;
const after = 160;

/**
 * Looks for a text from a byte on, block by block, whatever the size of the file. Each block that was looked through
 * is a step, so that the caller can stop there. A line is a hit once, unless it is longer than a snippet.
 *
 * @throws AppFilesError CORRUPT
 */
export async function* searchContent(
  content: StoredContent,
  query: TextQuery,
  from: number,
): AsyncGenerator<SearchStep> {
  const { size } = content.facts;
  if (from >= size) return;
  const overlap = longestMatch(query) + after;
  const lines = await countLines(content, from);
  let place = from;
  while (place < size) {
    // Back to where it is seen whether the line of the first match is cut, on to where the last snippet ends.
    const start = Math.max(0, place - 2 * before);
    const end = Math.min(size, (Math.floor(place / blockSize) + blocksInStep) * blockSize + overlap);
    const bytes = trimEdges(await readVerified(content, start, end - start), start > 0, end < size);
    const window = { ...bytes, start: start + bytes.cut };
    // A match that begins here is in the window whole, and so is its snippet.
    const stop = end < size ? end - overlap : size;
    const find = findIn(window.bytes, query);
    for (let span = find(place - window.start); span !== undefined; span = find(place - window.start)) {
      const offset = window.start + span[0];
      if (offset >= stop) break;
      const { snippet, shown } = cutSnippet(window.bytes, span);
      const next = window.start + shown;
      yield { hit: { offset, line: lines.at(window.bytes, window.start, offset), snippet, next } };
      place = next;
      if (place >= stop) break;
    }
    lines.at(window.bytes, window.start, Math.max(place, stop));
    place = Math.max(place, stop);
    yield { searchedTo: place };
  }
}

/** Without the pieces of characters at either end. */
function trimEdges(bytes: Uint8Array, first: boolean, last: boolean) {
  let cut = 0;
  while (first && isContinuation(bytes[cut])) cut++;
  let end = bytes.length;
  if (last) {
    let lead = end - 1;
    while (lead > cut && isContinuation(bytes[lead])) lead--;
    if ((bytes[lead] ?? 0) >= 0x80) end = lead;
  }
  return { bytes: bytes.subarray(cut, end), cut };
}

/** Line numbers of places that only grow. */
async function countLines(content: StoredContent, from: number) {
  let line = 1;
  let counted = Math.floor(from / blockSize) * blockSize;
  for (let index = 0; index * blockSize < counted; index++) line += newlinesIn(content.facts.blocks, index);
  const count = (bytes: Uint8Array, start: number, end: number) => {
    for (let at = bytes.indexOf(10, start); at >= 0 && at < end; at = bytes.indexOf(10, at + 1)) line++;
  };
  const head = await readVerified(content, counted, from - counted);
  count(head, 0, head.length);
  counted = from;
  return {
    at(bytes: Uint8Array, start: number, place: number): number {
      count(bytes, counted - start, place - start);
      counted = Math.max(counted, place);
      return line;
    },
  };
}

/** `shown` is where the snippet ends. */
function cutSnippet(bytes: Uint8Array, [start, end]: Span): { snippet: string; shown: number } {
  const lineStart = start === 0 ? 0 : bytes.lastIndexOf(10, start - 1) + 1;
  let first = Math.max(lineStart, start - before);
  while (first < start && isContinuation(bytes[first])) first++;
  const newline = bytes.indexOf(10, Math.max(start, end - 1));
  const lineEnd = newline < 0 ? bytes.length : newline;
  let last = Math.min(Math.max(lineEnd, start + 1), start + after);
  while (last > start && isContinuation(bytes[last])) last--;
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(first, last));
  const lead = first > lineStart ? "…" : "";
  const isCut = last < lineEnd;
  // A match longer than its snippet is not met again inside itself.
  return { snippet: `${lead}${text.replace(/\r$/, "")}${isCut ? "…" : ""}`, shown: Math.max(last, end) };
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
