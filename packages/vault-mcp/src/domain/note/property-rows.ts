import { createHash } from "node:crypto";
import { fold } from "../fold.ts";
import { storableText } from "../indexed-text.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { findValues, keysOf, type LookUp, rememberingLookUp } from "./property.ts";
import { numberOf, type Scalar } from "./scalar.ts";

export type PropertyType = "text" | "number" | "boolean" | "list" | "mapping" | "null";

/** A value of a frontmatter key as it is looked for. */
export interface PropertyRow {
  /** In NFC; nested keys with dots. */
  readonly key: string;
  /** As values are compared; undefined where the key has no text, number or boolean. */
  readonly text: string | undefined;
  readonly number: number | undefined;
  readonly place: number;
  /** Of the key's whole value. */
  readonly type: PropertyType;
  /** The value as written. */
  readonly shown: string | undefined;
}

/** Longer values are told apart by a hash of the rest; their order is that of the beginning. */
const comparedCharacters = 1_000;

/** A value as values are compared: folded, and of bounded length. */
export function propertyText(value: Scalar): string {
  const text = storableText(fold(String(value)));
  if (text.length <= comparedCharacters) return text;
  const rest = createHash("sha256").update(text).digest("hex").slice(0, 32);
  return `${text.slice(0, comparedCharacters).toWellFormed()}${rest}`;
}

/** Everything that a filter can ask a note's frontmatter: each key with each of its different values. */
export function propertyRows(frontmatter: JsonObject): PropertyRow[] {
  const keys = new Set(keysOf(frontmatter).map((key) => key.normalize("NFC")));
  const lookUp = rememberingLookUp();
  return [...keys].flatMap((key) => rowsOf(frontmatter, key, lookUp));
}

function rowsOf(frontmatter: JsonObject, key: string, lookUp: LookUp): PropertyRow[] {
  const { scalars, values } = findValues(frontmatter, key, lookUp);
  const type = typeOf(values);
  const name = storableText(key);
  const different = new Map<string, Scalar>();
  for (const value of scalars) {
    const text = propertyText(value);
    if (!different.has(text)) different.set(text, value);
  }
  if (different.size === 0) {
    return [{ key: name, text: undefined, number: undefined, place: 0, type, shown: undefined }];
  }
  return [...different].map(([text, value], place) => {
    const shown = storableText(String(value)).slice(0, comparedCharacters).toWellFormed();
    return {
      key: name,
      text,
      number: numberOf(value),
      place,
      type,
      shown: shown === text ? undefined : shown,
    };
  });
}

/** Of several values, as those of a key in a list of mappings, it is a list; null only where there is nothing else. */
function typeOf(values: readonly Json[]): PropertyType {
  const [value] = values;
  if (values.every((one) => one === null)) return "null";
  if (values.length > 1 || Array.isArray(value)) return "list";
  if (isJsonObject(value)) return "mapping";
  return typeof value === "string" ? "text" : typeof value === "number" ? "number" : "boolean";
}
