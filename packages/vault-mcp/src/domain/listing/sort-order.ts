import { type Document, titleOf } from "../document.ts";
import { VaultError } from "../errors.ts";
import { compareBinary, fold } from "../fold.ts";
import { storableText } from "../indexed-text.ts";
import { findValues } from "../note/property.ts";
import { numberOf } from "../note/scalar.ts";

export type SortKey = "path" | "title" | "modified" | "created" | "size" | { readonly property: string };

export interface SortOrder {
  readonly key: SortKey;
  readonly descending: boolean;
}

/** Where a document stands in an order: numbers before texts, what has no value last; ties by path. */
export interface SortPosition {
  readonly path: string;
  readonly rank: 0 | 1 | 2;
  /** The value at rank 0, else 0. */
  readonly number: number;
  /** The value at rank 1, else empty. */
  readonly text: string;
}

const plainKeys = ["path", "title", "modified", "created", "size"] as const;

/** Texts are ordered by their beginning, so that a position stays small. */
export const orderedCharacters = 200;

/** @throws VaultError INVALID_ARGUMENT for an unknown key. */
export function parseSort(sort: string): SortKey {
  const plain = plainKeys.find((key) => key === sort);
  if (plain !== undefined) return plain;
  if (sort.startsWith("frontmatter.") && sort.length > "frontmatter.".length) {
    return { property: sort.slice("frontmatter.".length) };
  }
  throw new VaultError("INVALID_ARGUMENT", {
    argument: "sort",
    problem: `must be one of ${plainKeys.join(", ")} or frontmatter.KEY, not ${JSON.stringify(sort.slice(0, 100))}`,
    next: `Call again with sort as ${plainKeys.join(", ")} or, for a frontmatter key, as frontmatter.KEY.`,
  });
}

function numberAt(path: string, number: number): SortPosition {
  return { path, rank: 0, number, text: "" };
}

function textAt(path: string, text: string): SortPosition {
  return { path, rank: 1, number: 0, text: orderedText(text) };
}

/** A text as texts are ordered: the beginning of its folded form, in whole characters. */
export function orderedText(text: string): string {
  const folded = storableText(fold(text));
  if (folded.length <= orderedCharacters) return folded;
  const units = folded.slice(0, orderedCharacters * 2);
  return Array.from(units).slice(0, orderedCharacters).join("").toWellFormed();
}

export function positionOf(document: Document, key: SortKey): SortPosition {
  const { path } = document;
  const missing: SortPosition = { path, rank: 2, number: 0, text: "" };
  if (key === "path" || document.kind === "attachment") return missing;
  switch (key) {
    case "title":
      return textAt(path, titleOf(document));
    case "modified":
      return numberAt(path, document.modifiedAt);
    case "created":
      return numberAt(path, document.createdAt);
    case "size":
      return numberAt(path, document.sizeBytes);
    default: {
      const [value] = findValues(document.frontmatter, key.property).scalars;
      if (value === undefined) return missing;
      const number = numberOf(value);
      return number === undefined ? textAt(path, String(value)) : numberAt(path, number);
    }
  }
}

/** Compares positions of one order. What has no value comes last whichever way, and ties go by rising path. */
export function comparePositions(a: SortPosition, b: SortPosition, descending: boolean): number {
  const isLast = (position: SortPosition) => Number(position.rank === 2);
  const byLast = isLast(a) - isLast(b);
  if (byLast !== 0) return byLast;
  const byValue = a.rank - b.rank || a.number - b.number || compareBinary(a.text, b.text);
  return (descending ? -byValue : byValue) || compareBinary(a.path, b.path);
}
