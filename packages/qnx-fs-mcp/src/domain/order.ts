import type { Entry } from "./entry.ts";
import type { RawName } from "./raw-name.ts";

export const sortKeys = ["name", "size", "mtime"] as const;
export type SortKey = (typeof sortKeys)[number];
export const sortOrders = ["asc", "desc"] as const;
export type SortOrder = (typeof sortOrders)[number];

/** Where an entry stands in a sorted listing: its sort value, then its name. */
export interface Position {
  /** null when sorted by name, and for an entry without the value. */
  readonly value: number | null;
  readonly name: RawName;
}

export function positionOf(entry: Entry, sort: SortKey): Position {
  return { value: sort === "name" ? null : entry[sort], name: entry.name };
}

/** Compares positions; what has no value comes before what has one. Names compare by code points. */
export function comparePositions(order: SortOrder): (a: Position, b: Position) => number {
  const sign = order === "asc" ? 1 : -1;
  return (a, b) => sign * ((a.value ?? -1) - (b.value ?? -1) || compareNames(a.name, b.name));
}

function compareNames(a: RawName, b: RawName): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
