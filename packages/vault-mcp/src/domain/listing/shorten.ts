import type { Json, JsonObject } from "../json.ts";

/** Characters that a value of a frontmatter key may take in a listing. */
const longestValue = 2_000;

const mark = "…";

/** The frontmatter with each value cut to 2,000 characters; `shortened` when any was. */
export function shortenFrontmatter(frontmatter: JsonObject): { frontmatter: JsonObject; shortened: boolean } {
  const entries = Object.entries(frontmatter);
  const long = entries.filter(([, value]) => sizeOf(value) > longestValue);
  if (long.length === 0) return { frontmatter, shortened: false };
  const cut = entries.map(([key, value]) => [key, shortenValue(value, longestValue)] as const);
  return { frontmatter: Object.fromEntries(cut), shortened: true };
}

function sizeOf(value: Json): number {
  return typeof value === "string" ? value.length : (JSON.stringify(value)?.length ?? 0);
}

function shortenValue(value: Json, room: number): Json {
  if (sizeOf(value) <= room) return value;
  if (typeof value === "string") return `${value.slice(0, Math.max(0, room)).toWellFormed()}${mark}`;
  if (Array.isArray(value)) {
    const items: Json[] = [];
    let left = room;
    for (const item of value) {
      const size = sizeOf(item) + 1;
      if (size > left) return [...items, ...(items.length === 0 ? [shortenValue(item, left)] : []), mark];
      left -= size;
      items.push(item);
    }
    return items;
  }
  const kept: [string, Json][] = [];
  let left = room;
  for (const [key, item] of Object.entries(value as JsonObject)) {
    const size = sizeOf(item) + key.length + 4;
    if (size > left) return Object.fromEntries([...kept, [mark, mark]]);
    left -= size;
    kept.push([key, item]);
  }
  return Object.fromEntries(kept);
}
