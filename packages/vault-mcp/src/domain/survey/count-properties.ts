import { compareBinary, fold } from "../fold.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { findValues, keysOf } from "../property.ts";
import { compareScalars, type Scalar } from "../scalar.ts";

export type ValueType = "text" | "number" | "boolean" | "date" | "list" | "object" | "empty";

/** A frontmatter key: in how many notes it is, and with values of which kinds. */
export interface PropertyCount {
  /** Dots between nested keys. */
  readonly key: string;
  readonly notes: number;
  /** The kinds of its values, the most frequent first. */
  readonly types: readonly ValueType[];
}

/** A value of a key and in how many notes it is. */
export interface ValueCount {
  readonly value: Scalar;
  readonly notes: number;
}

/** Counts the notes of each key, the most used first. */
export function countProperties(frontmatters: Iterable<JsonObject>): PropertyCount[] {
  const counts = new Map<string, { notes: number; types: Map<ValueType, number> }>();
  for (const frontmatter of frontmatters) {
    for (const key of new Set(keysOf(frontmatter))) {
      const count = counts.get(key) ?? { notes: 0, types: new Map() };
      counts.set(key, count);
      count.notes += 1;
      const type = typeOf(valueAt(frontmatter, key));
      count.types.set(type, (count.types.get(type) ?? 0) + 1);
    }
  }
  return [...counts]
    .map(([key, { notes, types }]) => ({
      key,
      notes,
      types: [...types].sort(([, a], [, b]) => b - a).map(([type]) => type),
    }))
    .sort((a, b) => b.notes - a.notes || compareBinary(a.key, b.key));
}

/** Counts the notes of each value of a key, lists looked through; the most used first, equal ones by value. */
export function countValues(frontmatters: Iterable<JsonObject>, key: string): ValueCount[] {
  const counts = new Map<string, { value: Scalar; notes: number }>();
  for (const frontmatter of frontmatters) {
    const { scalars } = findValues(frontmatter, key);
    for (const [name, value] of new Map(scalars.map((scalar) => [fold(String(scalar)), scalar]))) {
      const count = counts.get(name);
      if (count === undefined) counts.set(name, { value, notes: 1 });
      else count.notes += 1;
    }
  }
  return [...counts.values()].sort((a, b) => b.notes - a.notes || compareScalars(a.value, b.value));
}

/** A value as a filter would take it: `due` of a note, or `a.b`; the first where lists lead to several. */
function valueAt(object: JsonObject, key: string): Json | undefined {
  if (Object.hasOwn(object, key)) return object[key];
  for (let dot = key.indexOf("."); dot > 0; dot = key.indexOf(".", dot + 1)) {
    const outer = object[key.slice(0, dot)];
    for (const inner of Array.isArray(outer) ? outer : [outer]) {
      const value = isJsonObject(inner) ? valueAt(inner, key.slice(dot + 1)) : undefined;
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

function typeOf(value: Json | undefined): ValueType {
  if (value === null || value === undefined || value === "") return "empty";
  if (Array.isArray(value)) return "list";
  if (typeof value === "string") return /^\d{4}-\d{2}-\d{2}(?:[T ]|$)/.test(value) ? "date" : "text";
  return typeof value === "object" ? "object" : (typeof value as "number" | "boolean");
}
