import { describe, expect, it } from "vitest";
import { anchorsOf, headingFinder } from "./find-fragment.ts";

describe("headingFinder", () => {
  const has = headingFinder([
    "A & *B*",
    "Étude in C#",
    "See [[Home|the start]]",
    "Read [this](https://x.org)",
    "🌱",
    "Twice",
    "Twice",
  ]);

  it.each([
    "A & B",
    "a--b",
    "A B",
    "étude in c",
    "Étude in C#",
    "See Home the start",
    "See the start",
    "read-this",
    "🌱",
    "twice-1",
    "A & B#Twice",
  ])("finds the heading of #%s", (name) => {
    expect(has(name)).toBe(true);
  });

  it.each(["A", "C", "Home", "🌲", "Twice#Never", "Thrice-1"])("does not find a heading for #%s", (name) => {
    expect(has(name)).toBe(false);
  });
});

it("finds anchors of HTML", () => {
  const text = `x <a name='here'></a> <h2 class=x id=there> <b id="any where"> notid="x"`;
  expect(anchorsOf(text)).toEqual(new Set(["here", "there", "any where"]));
});
