import { compareBinary } from "../fold.ts";
import type { PropertyType } from "../note/property-rows.ts";
import { compareScalars } from "../note/scalar.ts";

/** A frontmatter key: in how many notes it is, and with values of which kinds. */
export interface PropertyCount {
  /** Dots between nested keys. */
  readonly key: string;
  readonly notes: number;
  /** The kinds of its values, the most frequent first. */
  readonly types: readonly PropertyType[];
}

/** A value of a key and in how many notes it is. */
export interface ValueCount {
  /** As one of the notes writes it. */
  readonly value: string;
  readonly notes: number;
}

/** In how many notes of a part of the vault a key has values of one kind. */
export interface PropertyPart {
  readonly key: string;
  readonly type: PropertyType;
  readonly notes: number;
}

/** In how many notes of a part of the vault a key has a value; `text` is how values are compared. */
export interface ValuePart {
  readonly text: string;
  readonly value: string;
  readonly notes: number;
}

/** The keys of all parts together, the most used first. */
export function joinProperties(parts: Iterable<PropertyPart>): PropertyCount[] {
  const counts = new Map<string, Map<PropertyType, number>>();
  for (const { key, type, notes } of parts) {
    const types = counts.get(key) ?? new Map<PropertyType, number>();
    counts.set(key, types);
    types.set(type, (types.get(type) ?? 0) + notes);
  }
  return [...counts]
    .map(([key, types]) => {
      const byNotes = [...types].sort(([, a], [, b]) => b - a);
      return { key, notes: byNotes.reduce((sum, [, n]) => sum + n, 0), types: byNotes.map(([type]) => type) };
    })
    .sort((a, b) => b.notes - a.notes || compareBinary(a.key, b.key));
}

/** The values of all parts together, the most used first, equal ones by value. */
export function joinValues(parts: Iterable<ValuePart>): ValueCount[] {
  const counts = new Map<string, { value: string; notes: number }>();
  for (const { text, value, notes } of parts) {
    const count = counts.get(text);
    if (count === undefined) counts.set(text, { value, notes });
    else count.notes += notes;
  }
  return [...counts.values()].sort((a, b) => b.notes - a.notes || compareScalars(a.value, b.value));
}
