import { expect, test } from "vitest";
import { KeptListings } from "./kept-listings.ts";
import { ListingBuilder } from "./listing.ts";

const listing = () => new ListingBuilder({ sort: "name", order: "asc", after: undefined, keep: 1 }).finish();

function arrange() {
  const clock = { now: 0 };
  let id = 0;
  const kept = new KeptListings({
    keepMs: 60_000,
    maxListings: 4,
    maxEntries: 10,
    now: () => clock.now,
    newId: () => `id${id++}`,
  });
  return { clock, kept };
}

test("a listing is kept for a minute after its last use", () => {
  const { clock, kept } = arrange();
  const first = listing();
  const id = kept.put("q", first);
  clock.now = 60_000;
  expect(kept.get(id, "q")).toBe(first);
  clock.now = 120_000;
  expect(kept.get(id, "q")).toBe(first);
  clock.now = 180_001;
  expect(kept.get(id, "q")).toBeUndefined();
});

test("a listing answers its own query alone", () => {
  const { kept } = arrange();
  const id = kept.put("q", listing());
  expect(kept.get(id, "other")).toBeUndefined();
  expect(kept.get("unknown", "q")).toBeUndefined();
});

test("four are kept at most, the longest unused one makes room", () => {
  const { kept } = arrange();
  const ids = Array.from({ length: 4 }, () => kept.put("q", listing()));
  kept.get(ids[0] as string, "q");
  kept.put("q", listing());
  expect(ids.map((id) => kept.get(id, "q") !== undefined)).toEqual([true, false, true, true]);
});

test("a listing that was read again replaces the one before", () => {
  const { kept } = arrange();
  const id = kept.put("q", listing());
  const next = kept.put("q", listing(), id);
  expect(kept.get(id, "q")).toBeUndefined();
  expect(kept.get(next, "q")).toBeDefined();
});
