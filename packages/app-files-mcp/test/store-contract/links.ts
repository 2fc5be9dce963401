import { describe, expect, test } from "vitest";
import { hashSecret, linkLifeMs, makeLink } from "../../src/domain/link.ts";
import type { StoreSubject } from "./store-subject.ts";

/** What a store keeps of links that can be used once. */
export function describeLinks(s: StoreSubject): void {
  describe("links", () => {
    const file = { app: "notes", path: "a b.txt", version: 3, by: "reader" };
    const make = (secret: string) =>
      makeLink(file, { links: s.store.links, newSecret: () => secret, now: () => s.clock.now });

    test("are found by their secret's hash and taken once, also by two at once", async () => {
      const { expiresAt } = await make("one");
      await make("two");
      const { links } = s.store;
      expect(expiresAt).toBe(s.clock.now + linkLifeMs);
      expect(await links.find(hashSecret("one"))).toEqual({ ...file, expiresAt });
      expect(await links.find("one")).toBeUndefined();
      const taken = await Promise.all([1, 2, 3].map(() => links.take(hashSecret("one"))));
      expect(taken.sort()).toEqual([false, false, true]);
      expect(await links.find(hashSecret("one"))).toBeUndefined();
      expect(await links.find(hashSecret("two"))).toEqual({ ...file, expiresAt });
    });

    test("are over after their time, and forgotten", async () => {
      await make("one");
      s.clock.now += linkLifeMs - 1;
      expect(await s.store.links.find(hashSecret("one"))).toMatchObject(file);
      s.clock.now += 1;
      expect(await s.store.links.find(hashSecret("one"))).toBeUndefined();
      expect(await s.store.links.take(hashSecret("one"))).toBe(false);
      await s.store.maintain();
      s.clock.now -= linkLifeMs;
      expect(await s.store.links.find(hashSecret("one"))).toBeUndefined();
    });
  });
}
