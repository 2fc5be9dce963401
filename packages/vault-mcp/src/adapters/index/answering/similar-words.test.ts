import { expect, it } from "vitest";
import { writtenIndex } from "../../../../test/support/written-index.ts";
import { similarWords } from "./similar-words.ts";

it("gives the words of the notes that a misspelled one was perhaps meant for", async () => {
  const index = await writtenIndex();
  await index.put("a.md", "Plumber, plums, tomatoes; Überweisung 東京タワー abcd12");
  const similar = (...words: string[]) => index.answering.read((view) => similarWords(view, words));
  expect((await similar("plumbr"))[0]).toBe("plumber");
  expect(await similar("tomatos")).toEqual(["tomatoes"]);
  expect(await similar("uberweisng")).toEqual(["uberweisung"]);
  expect(await similar("plx", "東京", "abcd13", "zebra")).toEqual([]);
  // Who sees some folders alone is not told what words there are elsewhere.
  const within = await index.answering.read(({ reader, generation, epoch, isBundle }) =>
    similarWords(
      {
        reader,
        generation,
        epoch,
        isBundle,
        within: ["b"],
        select: () => new Uint8Array(),
        documents: () => [],
      },
      ["plumbr"],
    ),
  );
  expect(within).toEqual([]);
  index.dispose();
});
