import { AppFilesError } from "./errors.ts";

/** One replacement in a text. */
export interface Edit {
  readonly oldText: string;
  /** Taken as it stands; only its line ends become those of its place. */
  readonly newText: string;
  readonly replaceAll: boolean;
}

interface Place {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Which edit, from 0. */
  readonly edit: number;
}

/** Lines that a message names at most. */
const linesNamed = 10;

/**
 * Replaces all that the edits ask for, or fails and replaces nothing. Every edit means the text as it was before all
 * of them. A line feed in an old text also stands for CRLF.
 *
 * @param path Names the file in errors.
 * @throws AppFilesError EDIT_NOT_FOUND, EDIT_AMBIGUOUS, EDITS_OVERLAP, INVALID_ARGUMENT
 */
export function applyEdits(
  path: string,
  text: string,
  edits: readonly Edit[],
): { readonly text: string; readonly replacements: number } {
  const places = edits
    .flatMap((edit, index) => placesOf(path, text, edit, index))
    .sort((a, b) => a.from - b.from);
  const pieces: string[] = [];
  let end = 0;
  let last = 0;
  for (const { from, to, text: inserted, edit } of places) {
    if (from < end) throw new AppFilesError("EDITS_OVERLAP", { path, edits: [last, edit] });
    pieces.push(text.slice(end, from), inserted);
    end = to;
    last = edit;
  }
  return { text: pieces.join("") + text.slice(end), replacements: places.length };
}

function placesOf(path: string, text: string, edit: Edit, index: number): Place[] {
  checkEdit(edit, index);
  const found = [...findAll(text, edit)];
  const [first] = found;
  if (first === undefined) {
    throw new AppFilesError("EDIT_NOT_FOUND", { path, edit: index, ...findSimilar(text, edit.oldText) });
  }
  if (found.length > 1 && !edit.replaceAll) {
    const lines = found.slice(0, linesNamed).map(({ index: at }) => lineAt(text, at));
    throw new AppFilesError("EDIT_AMBIGUOUS", { path, edit: index, count: found.length, lines });
  }
  return found.map(({ 0: matched, index: from }) => {
    const to = from + matched.length;
    return { from, to, text: fitLineEnds(edit.newText, text, from, to), edit: index };
  });
}

function checkEdit({ oldText, newText }: Edit, index: number): void {
  const refuse = (field: string, problem: string, next: string) => {
    throw new AppFilesError("INVALID_ARGUMENT", { argument: `edits[${index}].${field}`, problem, next });
  };
  if (oldText === "") {
    refuse("old_text", "is empty", "Call again with the text to replace, or file_write with append to add.");
  }
  const next = "Call again with valid Unicode.";
  if (!oldText.isWellFormed()) refuse("old_text", "has half of a surrogate pair in it", next);
  if (!newText.isWellFormed()) refuse("new_text", "has half of a surrogate pair in it", next);
}

/** A literal text as a pattern in which every line end stands for LF and CRLF. */
function literally(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/[$()*+./?[\\\]^{|}]/g, "\\$&"))
    .join("\\r?\\n");
}

/** Where one is wanted, occurrences that overlap count too: which was meant cannot be known. */
function* findAll(text: string, { oldText, replaceAll }: Edit): Generator<RegExpExecArray> {
  // Whole code points, so that no surrogate pair is cut in two.
  const pattern = new RegExp(literally(oldText), "gu");
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    yield match;
    const step = (text.codePointAt(match.index) ?? 0) > 0xffff ? 2 : 1;
    if (!replaceAll) pattern.lastIndex = match.index + step;
  }
}

function lineAt(text: string, at: number): number {
  let line = 1;
  for (let next = text.indexOf("\n"); next >= 0 && next < at; next = text.indexOf("\n", next + 1)) line++;
  return line;
}

function fitLineEnds(newText: string, text: string, from: number, to: number): string {
  if (!newText.includes("\n") || newText.includes("\r\n")) return newText;
  return usesCrlf(text, from, to) ? newText.replaceAll("\n", "\r\n") : newText;
}

/** By the first line end from the place on, else by the last one before it. */
function usesCrlf(text: string, from: number, to: number): boolean {
  const inside = text.slice(from, to).indexOf("\n");
  const after = inside < 0 ? text.indexOf("\n", to) : from + inside;
  const at = after < 0 ? text.lastIndexOf("\n", from) : after;
  return at > 0 && text[at - 1] === "\r";
}

/** What in a text is most like what was looked for, for the message. */
function findSimilar(text: string, wanted: string) {
  const words = wanted.trim().split(/\s+/).map(literally);
  const firstLine = wanted.split("\n").find((line) => line.trim() !== "") ?? "";
  const attempts: [pattern: string, flags: string, hint: string | undefined][] = [
    [literally(wanted), "iu", "which differs in upper and lower case"],
    [words.join("\\s+"), "u", "which differs in white space"],
    [words.join("\\s+"), "iu", "which differs in white space, upper and lower case"],
    [literally(firstLine.trim()), "u", "which has its first line"],
  ];
  for (const [pattern, flags, hint] of attempts) {
    const at = pattern === "" ? -1 : text.search(new RegExp(pattern, flags));
    if (at >= 0) return { nearLine: lineAt(text, at), hint };
  }
  return { nearLine: undefined, hint: undefined };
}
