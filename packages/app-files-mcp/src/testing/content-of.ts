import { describeContent } from "../domain/content.ts";
import type { StoredContent } from "../domain/store.ts";

/** Bytes as a stored content, and what was read of them. */
export function contentOf(
  bytes: Uint8Array,
): StoredContent & { readonly reads: [offset: number, length: number][] } {
  const facts = describeContent(bytes);
  const { sha256, size } = facts;
  const reads: [number, number][] = [];
  return {
    record: { path: "f", size, mime: "text/plain", sha256, version: 1, createdAt: 0, updatedAt: 0 },
    facts,
    reads,
    async read(offset, length) {
      reads.push([offset, length]);
      return bytes.slice(offset, offset + length);
    },
  };
}
