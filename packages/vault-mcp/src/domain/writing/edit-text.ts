import { VaultError } from "../errors.ts";
import { explainMiss } from "./explain-miss.ts";

/** One replacement that a caller asks for. */
export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  /** Every occurrence instead of the only one. */
  readonly replaceAll: boolean;
}

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Which edit asked for it, from 0. */
  readonly edit: number;
}

/** A text with LF for every CRLF, and the way back. */
interface Unified {
  readonly text: string;
  /** Places in the unified text whose LF was a CRLF, rising. */
  readonly crlf: readonly number[];
}

const mostLinesNamed = 10;

/**
 * Applies edits to a text: all of them or none, each to the text as it was. LF in an old text matches CRLF, and a new
 * text whose line endings are all LF takes over those of its place; apart from that it is put in as it stands.
 *
 * @param path names the note in errors.
 * @throws VaultError INVALID_ARGUMENT, EDIT_NOT_FOUND, EDIT_AMBIGUOUS, EDITS_OVERLAP.
 */
export function applyEdits(
  path: string,
  text: string,
  edits: readonly Edit[],
): { text: string; count: number } {
  const unified = unify(text);
  const replacements = edits.flatMap((edit, index) => locate(path, text, unified, edit, index));
  replacements.sort((a, b) => a.start - b.start);
  let result = "";
  let done = 0;
  for (const [index, { start, end, text: inserted, edit }] of replacements.entries()) {
    const before = replacements[index - 1];
    if (before !== undefined && start < before.end) {
      throw new VaultError("EDITS_OVERLAP", { path, edits: [before.edit, edit] });
    }
    result += text.slice(done, start) + inserted;
    done = end;
  }
  return { text: result + text.slice(done), count: replacements.length };
}

function locate(path: string, text: string, unified: Unified, edit: Edit, index: number): Replacement[] {
  checkEdit(edit, index);
  const wanted = edit.oldText.replaceAll("\r\n", "\n");
  // Overlapping occurrences count too when one is wanted: which of them was meant cannot be known.
  const starts = occurrences(unified.text, wanted, edit.replaceAll ? wanted.length : 1);
  if (starts.length === 0) {
    throw new VaultError("EDIT_NOT_FOUND", { path, edit: index, miss: explainMiss(unified.text, wanted) });
  }
  if (starts.length > 1 && !edit.replaceAll) {
    const lines = starts.slice(0, mostLinesNamed).map((start) => lineOf(unified.text, start));
    throw new VaultError("EDIT_AMBIGUOUS", { path, edit: index, count: starts.length, lines });
  }
  return starts.map((at) => {
    const start = toOriginal(unified, at);
    const end = toOriginal(unified, at + wanted.length);
    return { start, end, text: adopt(edit.newText, endingAt(text, start, end)), edit: index };
  });
}

function checkEdit({ oldText, newText }: Edit, index: number): void {
  const refuse = (field: string, problem: string, next: string) => {
    throw new VaultError("INVALID_ARGUMENT", { argument: `edits[${index}].${field}`, problem, next });
  };
  if (oldText === "") {
    const next = "Call again with the text to replace, or use append_to_document to add text.";
    refuse("old_text", "is empty, which is found everywhere", next);
  }
  for (const [field, value] of Object.entries({ old_text: oldText, new_text: newText })) {
    if (!value.isWellFormed()) {
      refuse(
        field,
        "has half of a surrogate pair in it, which no file can hold",
        "Call again with whole characters.",
      );
    }
  }
}

function unify(text: string): Unified {
  if (!text.includes("\r\n")) return { text, crlf: [] };
  const crlf: number[] = [];
  for (let at = text.indexOf("\r\n"); at >= 0; at = text.indexOf("\r\n", at + 2)) crlf.push(at - crlf.length);
  return { text: text.replaceAll("\r\n", "\n"), crlf };
}

/** How many CRLFs lie before a place is how far the original place is behind it. */
function toOriginal({ crlf }: Unified, place: number): number {
  let low = 0;
  let high = crlf.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((crlf[middle] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return place + low;
}

function occurrences(text: string, wanted: string, step: number): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + step)) {
    if (!splitsPair(text, at) && !splitsPair(text, at + wanted.length)) found.push(at);
  }
  return found;
}

function splitsPair(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
}

function lineOf(text: string, place: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < place; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

/** The line ending in a place: that of the replaced text, else that of its line, else that of the line before. */
function endingAt(text: string, start: number, end: number): "\n" | "\r\n" {
  const inside = text.slice(start, end);
  if (inside.includes("\n")) return inside.includes("\r\n") ? "\r\n" : "\n";
  const after = text.indexOf("\n", end);
  const near = after >= 0 ? after : text.lastIndexOf("\n", start);
  return near > 0 && text[near - 1] === "\r" ? "\r\n" : "\n";
}

function adopt(text: string, ending: "\n" | "\r\n"): string {
  return ending === "\n" || text.includes("\r\n") ? text : text.replaceAll("\n", "\r\n");
}
