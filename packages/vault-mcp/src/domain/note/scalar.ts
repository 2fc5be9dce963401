import { compareBinary, fold } from "../fold.ts";
import type { Json } from "../json.ts";

export type Scalar = string | number | boolean;

export function isScalar(value: Json): value is Scalar {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** The number that a value is: a number, or a text that is what printing a number gives; `1.10` is text. */
export function numberOf(value: Scalar): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || value === "") return undefined;
  const number = Number(value);
  return Number.isFinite(number) && String(number) === value ? number : undefined;
}

/** Equal by meaning: texts in NFC and case-folded, `"5"` and 5, `"true"` and true. */
export function equalScalars(a: Scalar, b: Scalar): boolean {
  return a === b || fold(String(a)) === fold(String(b));
}

/** Order: by number when both are numbers, else by folded text. */
export function compareScalars(a: Scalar, b: Scalar): number {
  const numberA = numberOf(a);
  const numberB = numberOf(b);
  if (numberA !== undefined && numberB !== undefined) return numberA - numberB;
  return compareBinary(fold(String(a)), fold(String(b)));
}
