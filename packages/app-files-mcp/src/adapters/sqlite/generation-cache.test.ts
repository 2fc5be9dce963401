import { expect, test } from "vitest";
import { GenerationCache } from "./generation-cache.ts";

test("works out each value once, and forgets what was not used for longest", () => {
  const cache = new GenerationCache(40);
  const made: string[] = [];
  const get = (key: string) =>
    cache.get(
      key,
      () => {
        made.push(key);
        return key.toUpperCase();
      },
      () => 9,
    );
  expect(["a", "b", "c", "d", "a"].map(get)).toEqual(["A", "B", "C", "D", "A"]);
  expect(made).toEqual(["a", "b", "c", "d"]);
  get("e");
  expect(["a", "c", "d", "e"].map(get)).toEqual(["A", "C", "D", "E"]);
  expect(made).toEqual(["a", "b", "c", "d", "e"]);
  get("b");
  expect(made.at(-1)).toBe("b");
});

test("keeps nothing that is heavier than all it may keep", () => {
  const cache = new GenerationCache(10);
  let made = 0;
  const get = () =>
    cache.get(
      "heavy",
      () => ++made,
      () => 100,
    );
  expect([get(), get()]).toEqual([1, 2]);
  expect(
    cache.get(
      "light",
      () => "kept",
      () => 1,
    ),
  ).toBe("kept");
  expect(
    cache.get(
      "light",
      () => "again",
      () => 1,
    ),
  ).toBe("kept");
});

test("keeps nothing of what failed", () => {
  const cache = new GenerationCache(100);
  const fail = () => {
    throw new Error("not this time");
  };
  expect(() => cache.get("key", fail, () => 1)).toThrow("not this time");
  expect(
    cache.get(
      "key",
      () => "now",
      () => 1,
    ),
  ).toBe("now");
});
