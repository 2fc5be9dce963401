import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loosen, parseSearch } from "./parse-search.ts";

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
    ["NOT this OR that AND (NEAR)", ["not", "or", "and", "near"], []],
    ['some "open quote', ["some", "open", "quote"], []],
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

  it.each([
    ["who is Kevin Kelly?", ["kevin", "kelly"], ["who", "is"]],
    ["What's the plan (of 2031)", ["plan", "2031"], ["what s", "the", "of"]],
    ["the who", ["the", "who"], []],
    ["the -soup", ["the"], []],
    ['WHO rules "the rest"', ["who", "rules", "the rest"], []],
    ["to-do about the A* search", ["to do", "a", "search"], ["about", "the"]],
    ["C++ or I/O", ["c", "i o"], ["or"]],
  ])("of %s minds the words that tell something", (query, expected, small) => {
    expect(wanted(query)).toEqual(expected);
    expect(parseSearch(query).spare.map(({ words }) => words.join(" "))).toEqual(small);
  });

  it("keeps the order of all words for names", () => {
    expect(parseSearch("the art of war -peace").names).toEqual(["the art of war", "art war"]);
  });

  it.each([
    ["tomatoes up", ["tomatoe", undefined]],
    ["boss bus 회의 книга on", ["boss", "bus", "회의", "книга"]],
    ["re C", ["re", "c"]],
    ['"open quotes" x', ["quotes", undefined]],
  ])("of %s tells what words may begin with", (query, expected) => {
    expect(parseSearch(query).wanted.map(({ start }) => start)).toEqual(expected);
  });

  it("takes words with marks between them apart where any word will do", () => {
    const loose = loosen(parseSearch('tag:project "two words" 日本語abc').wanted);
    expect(loose.map(({ words }) => words.join(" "))).toEqual([
      "tag",
      "project",
      "two words",
      "日本 本語 語 abc",
    ]);
  });

  it("leaves a single character of a script without spaces open", () => {
    expect(parseSearch("植 植物 x").wanted.map(({ open }) => open)).toEqual([true, false, false]);
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
