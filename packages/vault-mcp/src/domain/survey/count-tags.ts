import { fold } from "../fold.ts";

export interface TagCount {
  /** As it is written first. */
  readonly tag: string;
  /** Notes that have it or one below it. */
  readonly notes: number;
  /** Notes that have the very tag. */
  readonly own: number;
}

/** Counts the notes of each tag; a nested tag counts for those above it too, a note once for each. In folded order. */
export function countTags(tagsOfNotes: Iterable<readonly string[]>): TagCount[] {
  const counts = new Map<string, { tag: string; notes: number; own: number }>();
  const at = (tag: string) => {
    const key = fold(tag);
    let count = counts.get(key);
    if (count === undefined) {
      count = { tag, notes: 0, own: 0 };
      counts.set(key, count);
    }
    return count;
  };
  for (const tags of tagsOfNotes) {
    const own = new Set(tags.map(at));
    const all = new Set(own);
    for (const tag of tags) {
      for (let slash = tag.indexOf("/"); slash > 0; slash = tag.indexOf("/", slash + 1)) {
        all.add(at(tag.slice(0, slash)));
      }
    }
    for (const count of own) count.own += 1;
    for (const count of all) count.notes += 1;
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
}

/** The tags whose name, or a part of it behind a slash, begins with a prefix; by name, or the most used first. */
export function selectTags(tags: readonly TagCount[], prefix: string, sort: "count" | "name"): TagCount[] {
  const start = fold(prefix.replace(/^#/, ""));
  const found = tags.filter(({ tag }) => fold(tag).startsWith(start));
  return sort === "name" ? found : found.sort((a, b) => b.notes - a.notes);
}
