import { jsonBytes } from "./json.ts";

/** The default of `--max-result-bytes`: UTF-8 bytes of an answer's structured content. */
export const defaultBudget = 40_000;

/** UTF-8 bytes that a character takes inside a JSON string. */
function escapedBytes(codePoint: number): number {
  if (codePoint === 0x22 || codePoint === 0x5c) return 2;
  if (codePoint < 0x20) return [8, 9, 10, 12, 13].includes(codePoint) ? 2 : 6;
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  // A lone surrogate is written as an escape.
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return 6;
  return codePoint < 0x10000 ? 3 : 4;
}

/** The longest prefix whose JSON string takes at most `maxBytes` (the quotes included), never inside a character. */
export function cutText(text: string, maxBytes: number): string {
  let bytes = 2;
  let end = 0;
  while (end < text.length) {
    const codePoint = text.codePointAt(end) ?? 0;
    bytes += escapedBytes(codePoint);
    if (bytes > maxBytes) break;
    end += codePoint > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

/** The first items whose JSON, with a comma each, takes at most `maxBytes`. */
export function takeWithin<Item>(items: readonly Item[], maxBytes: number): Item[] {
  let bytes = 2;
  const taken: Item[] = [];
  for (const item of items) {
    bytes += jsonBytes(item) + 1;
    if (bytes > maxBytes) break;
    taken.push(item);
  }
  return taken;
}
