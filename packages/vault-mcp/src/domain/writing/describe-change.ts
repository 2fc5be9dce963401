import type { TextChange } from "./change-text.ts";
import type { DiffTexts } from "./diff-texts.ts";

/** What an answer tells of a change. */
export interface ChangeDescription {
  readonly path: string;
  readonly changed: boolean;
  readonly diff: string;
  readonly etag: string;
  readonly replaced_version?: string;
  readonly note?: string;
}

/** Bytes for everything beside the diff. */
const besidesBytes = 2_500;
const mostCharacters = 100_000;

/** Bytes of JSON that a diff may take in an answer. */
export function diffRoom(budget: number): number {
  return Math.max(budget - besidesBytes, 1_000);
}

/** @param cut gives as much of the diff as there is room for. */
export function describeChange(
  change: TextChange,
  diffTexts: DiffTexts,
  cut: (diff: string) => string,
): ChangeDescription {
  const { path, before, after, etag, outcome } = change;
  const { text, isCut } = diffTexts(path, before, after, mostCharacters);
  const diff = cut(text);
  const shortened =
    isCut || diff.length < text.length ? ["The diff is shortened to fit an answer's size."] : [];
  return {
    path,
    changed: outcome !== undefined,
    diff,
    etag,
    ...(outcome?.kept !== undefined && { replaced_version: outcome.kept }),
    ...noteOf([...change.notes, ...shortened]),
  };
}

/** The note of an answer, where there is something to say. */
export function noteOf(notes: readonly string[]): { readonly note?: string } {
  return notes.length === 0 ? {} : { note: notes.join(" ") };
}
