import { expect, it } from "vitest";
import { filledIndex } from "../../../../test/support/filled-index.ts";
import { parseSearch } from "../../../domain/search/parse-search.ts";
import { rankTerms } from "./rank-documents.ts";

const notes = Object.fromEntries(
  Array.from({ length: 20 }, (_, at) => [
    `${at}.md`,
    `${"seed ".repeat((at * 7) % 20)}bed ${"x ".repeat(at)}`,
  ]),
);

it("gives the same scores however few documents may be seen, and counts more than it gives", async () => {
  const { connection, dispose } = await filledIndex(notes);
  try {
    const { wanted } = parseSearch("seed bed");
    const mode = { join: "OR", prefixes: false, spare: [], long: new Set<number>() } as const;
    await connection.read((snapshot) => {
      const rank = (allowed: Uint8Array, most: number) => rankTerms(snapshot, wanted, mode, allowed, most);
      const all = rank(new Uint8Array(21).fill(1), 100);
      expect(all.total).toBe(20);
      expect(all.best.map(({ score }) => score)).toEqual(
        all.best.map(({ score }) => score).sort((a, b) => b - a),
      );
      const few = new Uint8Array(21);
      for (const id of [3, 8, 14]) few[id] = 1;
      expect(rank(few, 100).best).toEqual(all.best.filter(({ id }) => few[id] === 1));
      expect(rank(new Uint8Array(21).fill(1), 4)).toEqual({ best: all.best.slice(0, 4), total: 20 });
    });
  } finally {
    dispose();
  }
});
