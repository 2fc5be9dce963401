import { describe, expect, it } from "vitest";
import { explainMiss } from "./explain-miss.ts";

describe("explainMiss", () => {
  it("names differences in white space", () => {
    expect(explainMiss("x\n\tone  two\n", "one two")).toMatchObject({
      kind: "whitespace",
      line: 2,
      wanted: "t",
      found: " ",
    });
    expect(explainMiss("a\n\nb\n", "a\nb")).toMatchObject({
      kind: "whitespace",
      line: 2,
      wanted: "b",
      found: "\n",
    });
    expect(explainMiss("one\u00a0two", "one two")).toMatchObject({ kind: "typography", found: "\u00a0" });
  });

  it("names typographic differences", () => {
    expect(explainMiss("a\nit’s “so”…\n", 'it\'s "so"...')).toMatchObject({
      kind: "typography",
      line: 2,
      lineText: "it’s “so”…",
      agrees: "it",
      wanted: "'",
      found: "’",
    });
    expect(explainMiss("caf\u00e9", "cafe\u0301")).toMatchObject({
      kind: "typography",
      agrees: "caf",
      found: "é",
    });
    expect(explainMiss("a\u200bb", "ab")).toMatchObject({ kind: "typography", found: "\u200b" });
  });

  it("names differences in case", () => {
    expect(explainMiss("The End", "the end")).toMatchObject({ kind: "case", wanted: "t", found: "T" });
  });

  it("names the nearest line and the first difference", () => {
    const text = "# Title\n\nfirst line\nsecond line here\nthird\n";
    expect(explainMiss(text, "second line there")).toMatchObject({
      kind: "other",
      line: 4,
      lineText: "second line here",
      agrees: "second line ",
      wanted: "t",
      found: "h",
    });
  });

  it("follows a text of several lines as far as it agrees", () => {
    const text = "- a\n- b\n- x\n\n- a\n- b\n- c\n- d\n";
    expect(explainMiss(text, "- a\n- b\n- c\n- e")).toMatchObject({ line: 8, wanted: "e", found: "d" });
    expect(explainMiss("one\ntwo", "one\ntwo\nthree")).toMatchObject({ wanted: "\n", found: "" });
  });

  it("says nothing where nothing resembles it", () => {
    expect(explainMiss("alpha\nbeta\n", "0123456789")).toBeUndefined();
    expect(explainMiss("", "x")).toBeUndefined();
    expect(explainMiss("abc", " \n")).toBeUndefined();
  });
});
