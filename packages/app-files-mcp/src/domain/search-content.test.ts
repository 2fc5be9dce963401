import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contentOf } from "../testing/content-of.ts";
import { blockSize } from "./content.ts";
import { foldCase } from "./find-text.ts";
import { searchContent, type TextHit } from "./search-content.ts";

async function search(
  text: string,
  query: string,
  { ignoreCase = false, from = 0 } = {},
): Promise<TextHit[]> {
  const hits: TextHit[] = [];
  let searched = from;
  for await (const step of searchContent(contentOf(Buffer.from(text)), { text: query, ignoreCase }, from)) {
    if ("hit" in step) hits.push(step.hit);
    else searched = step.searchedTo;
  }
  expect(searched).toBe(Math.max(from, Buffer.byteLength(text)));
  return hits;
}
const placesOf = (hits: readonly TextHit[]) => hits.map(({ line, snippet }) => [line, snippet]);

describe("a search", () => {
  test("gives each line once, with its number and its text", async () => {
    const text = "one key two\nno\nkey key\r\n\nlast key";
    expect(placesOf(await search(text, "key"))).toEqual([
      [1, "one key two"],
      [3, "key key"],
      [5, "last key"],
    ]);
  });

  test("tells the byte of the match, behind characters of every length", async () => {
    const [hit] = await search("é界😀key", "key");
    expect(hit).toMatchObject({ offset: 2 + 3 + 4, line: 1, snippet: "é界😀key" });
  });

  test("takes the query as it stands", async () => {
    expect(await search("abc\naxc", "a.c")).toEqual([]);
    expect(await search("Key", "key")).toEqual([]);
    expect(placesOf(await search("a.c* [", "c* ["))).toEqual([[1, "a.c* ["]]);
    expect(placesOf(await search("x\na\nb\ny", "a\nb"))).toEqual([[2, "a\nb"]]);
  });

  test.each([
    ["ÉCOLE", "école"],
    ["ΟΔΟΣ", "οδος"],
    ["ΟΔΟΣ", "οδοσ"],
    ["İstanbul X", "istanbul x"],
    ["straße", "STRAßE"],
    ["Ünï KEY", "key"],
  ])("ignores case: %s for %s", async (text, query) => {
    const found = await search(`a\n${text}\nb`, query, { ignoreCase: true });
    // A dotted capital I has no simple small letter: the rest of such a word is still found.
    if (text.startsWith("İ")) expect(await search(text, "STANBUL x", { ignoreCase: true })).toHaveLength(1);
    else expect(placesOf(found)).toEqual([[2, text]]);
  });

  test("cuts long lines around the match, and no character", async () => {
    const hits = await search(`${"🛠️".repeat(400)}key${"🛠️".repeat(400)}`, "key");
    expect(hits).toHaveLength(1);
    expect(hits[0]?.snippet).toMatch(/^….*key.*…$/u);
    expect(hits[0]?.snippet.isWellFormed()).toBe(true);
    expect(hits[0]?.snippet).not.toContain("\ufffd");
    expect(Buffer.byteLength(hits[0]?.snippet ?? "")).toBeLessThan(260);
  });

  test("goes on inside a very long line", async () => {
    const line = "x".repeat(1_000);
    const hits = await search(`${line}key${line}key key${line}`, "key");
    expect(hits.map(({ offset }) => offset)).toEqual([1_000, 2_003]);
  });

  test("finds what lies across the blocks, with the line counted through them all", async () => {
    const size = blockSize * 20;
    const bytes = Buffer.alloc(size, "abcdefghi\n");
    const places = [blockSize - 2, 8 * blockSize - 2, 8 * blockSize + 300, 16 * blockSize - 1, size - 4];
    for (const place of places) bytes.write("KEY!", place);
    const text = bytes.toString();
    for (const ignoreCase of [false, true]) {
      const hits = await search(text, ignoreCase ? "key!" : "KEY!", { ignoreCase });
      expect(hits.map(({ offset }) => offset)).toEqual(places);
      for (const { offset, line } of hits) expect(line).toBe(text.slice(0, offset).split("\n").length);
      const later = await search(text, "KEY!", { from: hits[1]?.next ?? 0 });
      expect(later).toEqual(hits.slice(2).map((hit) => ({ ...hit, snippet: expect.any(String) })));
    }
  });

  test("finds every line that has it, in any text, wherever it goes on", async () => {
    const piece = fc.constantFrom("k", "ke", "key", "K", "é", "😀", "\n", " ", "ς", "Σ");
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), fc.boolean(), async (pieces, ignoreCase) => {
        const text = pieces.join("");
        const fold = (each: string) => (ignoreCase ? foldCase(each) : each);
        const lines = text.split("\n").flatMap((line, n) => (fold(line).includes("key") ? [n + 1] : []));
        const hits = await search(text, "key", { ignoreCase });
        expect(hits.map(({ line }) => line)).toEqual(lines);
        const middle = Math.floor(hits.length / 2);
        const rest = await search(text, "key", { ignoreCase, from: hits[middle]?.next ?? 0 });
        if (hits.length > 0) expect(rest.map(({ line }) => line)).toEqual(lines.slice(middle + 1));
      }),
    );
  });
});
