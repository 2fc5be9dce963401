import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSearch } from "./parse-search.ts";

const wanted = (query: string) => parseSearch(query).wanted.map(({ words }) => words.join(" "));
const unwanted = (query: string) => parseSearch(query).unwanted.map(({ words }) => words.join(" "));

describe("a query taken apart", () => {
  it.each([
    ["two words", ["two", "words"], []],
    ['"exact phrase" more', ["exact phrase", "more"], []],
    ["file-back ingest", ["file back", "ingest"], []],
    ["soil -clay", ["soil"], ["clay"]],
    ['soil -"wet clay"', ["soil"], ["wet clay"]],
    ["--watch", ["watch"], []],
    ["-clay", ["clay"], []],
    ["NOT this OR that AND (NEAR)", ["not", "this", "or", "that", "and", "near"], []],
    ['an "open quote', ["an", "open", "quote"], []],
    ["title:x*^ {a b}", ["title x", "a", "b"], []],
    ["🎉 party", ["🎉", "party"], []],
    ["日本語", ["日本 本語"], []],
    ["植", ["植"], []],
    ["日本語abc", ["日本 本語 語 abc"], []],
    ["- [ ] ''", [], []],
    ["", [], []],
  ])("%s", (query, expected, without) => {
    expect(wanted(query)).toEqual(expected);
    expect(unwanted(query)).toEqual(without);
  });

  it("leaves a single character of a script without spaces open", () => {
    expect(parseSearch("植 植物 a").wanted.map(({ open }) => open)).toEqual([true, false, false]);
  });

  it("tells which parts hold marks that a search by words leaves out", () => {
    expect(parseSearch("C++ don't file-back end. 🎉").marked).toEqual(["C++"]);
  });

  it("bounds the number of terms", () => {
    const { wanted: terms, dropped } = parseSearch("w ".repeat(80));
    expect(terms).toHaveLength(50);
    expect(dropped).toBe(30);
  });

  it("takes any text for a query", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (query) => {
        for (const { words } of parseSearch(query).wanted) expect(words.length).toBeGreaterThan(0);
      }),
    );
  });
});
