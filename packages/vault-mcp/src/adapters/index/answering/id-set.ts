import type { IdSet } from "./index-snapshot.ts";

/** The ids in a set, rising. */
export function idsOf(set: IdSet): number[] {
  const ids: number[] = [];
  for (let id = set.indexOf(1); id >= 0; id = set.indexOf(1, id + 1)) ids.push(id);
  return ids;
}

/** The ids in a set, rising; undefined where there are more than `most`. */
export function fewIds(set: IdSet, most: number): number[] | undefined {
  let count = 0;
  for (const member of set) count += member;
  return count > most ? undefined : idsOf(set);
}

/** @param size one more than the largest id that there can be. */
export function setOf(ids: Iterable<number>, size: number): IdSet {
  const set = new Uint8Array(size);
  for (const id of ids) set[id] = 1;
  return set;
}

/** What is in both; changes the first. */
export function retain(set: IdSet, other: IdSet): void {
  for (let id = 0; id < set.length; id += 1) set[id] = (set[id] as number) & (other[id] ?? 0);
}

/** What is in either; changes the first. */
export function join(set: IdSet, other: IdSet): void {
  for (let id = 0; id < set.length; id += 1) set[id] = (set[id] as number) | (other[id] ?? 0);
}

/** What is not in the other; changes the first. */
export function exclude(set: IdSet, other: IdSet): void {
  for (let id = 0; id < set.length; id += 1) if (other[id] === 1) set[id] = 0;
}
