import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldForSearch, indexedWords, wordsOf } from "./words.ts";

const words = (text: string) => [...wordsOf(text)].map(({ word }) => word);

describe("words of a text", () => {
  it.each([
    ["File-back ingest", ["file", "back", "ingest"]],
    ["don't C++ x_y", ["don", "t", "c", "x", "y"]],
    ["Café Ångström ÉTÉ naïve", ["cafe", "angstrom", "ete", "naive"]],
    ["Cafe\u0301", ["cafe"]],
    ["STRASSE Straße", ["strasse", "strasse"]],
    ["Ｆｕｌｌ ﬁn", ["full", "fin"]],
    ["日本語", ["日本", "本語", "語"]],
    ["日", ["日"]],
    ["スーパー3個", ["スー", "ーパ", "パー", "ー", "3", "個"]],
    ["plant植物memo", ["plant", "植物", "物", "memo"]],
    ["한국어 노트", ["한국어", "노트"]],
    ["हिन्दी", ["हिन्दी"]],
    ["go 🎉🎉 ok ❤️", ["go", "🎉", "🎉", "ok", "❤"]],
    ['- [ ] --- ""', []],
  ])("%s", (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it("finds any part of two or more characters of Thai as a row of pairs", () => {
    const text = "สวัสดีครับผมชื่อ";
    const all = words(text).join(" ");
    const characters = [...text];
    for (let from = 0; from < characters.length - 1; from += 1) {
      for (let to = from + 2; to <= characters.length; to += 1) {
        const part = words(characters.slice(from, to).join(""));
        // The last character alone is followed by more in the text.
        const pairs = part.slice(0, -1).join(" ");
        expect(`${all} `, characters.slice(from, to).join("")).toContain(pairs);
      }
    }
  });

  it("finds the same words in plain ASCII as beside other letters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary-ascii", maxLength: 40 }), (text) => {
        expect([...wordsOf(text)]).toEqual([...wordsOf(`${text} é`)].slice(0, -1));
      }),
    );
  });

  it("tells where each word stands", () => {
    const text = "a Über 日本語 🎉";
    expect([...wordsOf(text)].map(({ start, end }) => text.slice(start, end))).toEqual([
      "a",
      "Über",
      "日本",
      "本語",
      "語",
      "🎉",
    ]);
  });

  it("gives an index words that it cannot take apart", () => {
    expect(indexedWords("Ångström-x ½ 日本")).toMatch(/^angstrom x 1⁄2 日本 本$/);
  });

  it("takes time linear to the text", () => {
    expect([...wordsOf("ก".repeat(200_000))]).toHaveLength(200_000);
    expect([...wordsOf("a".repeat(1_000_000))]).toHaveLength(1);
  });

  it("folds case, accents and width", () => {
    expect(foldForSearch("ΟΔΟΣ")).toBe(foldForSearch("οδος"));
    expect(foldForSearch("İ")).toBe("i");
  });
});
