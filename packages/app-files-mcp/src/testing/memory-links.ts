import type { Link, LinkStore } from "../domain/link.ts";

/** Links without a disk. */
export function createMemoryLinks(now: () => number): LinkStore {
  const links = new Map<string, Link>();
  const find = (hash: string) => {
    const link = links.get(hash);
    if (link !== undefined && link.expiresAt > now()) return link;
    links.delete(hash);
    return undefined;
  };
  return {
    async add(hash, link) {
      links.set(hash, link);
    },
    find: async (hash) => find(hash),
    take: async (hash) => find(hash) !== undefined && links.delete(hash),
  };
}
