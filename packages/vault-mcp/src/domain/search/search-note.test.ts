import { expect, it } from "vitest";
import { parseSearch } from "./parse-search.ts";
import { type SearchCircumstances, searchNote } from "./search-note.ts";

function noteOf(query: string, total: number, more: Partial<SearchCircumstances> = {}): string | undefined {
  return searchNote({
    page: {
      hits: [],
      more: false,
      total,
      beyond: false,
      stage: total === 0 ? "any" : "all",
      walk: { epoch: "e", generation: 1 },
      changedSince: false,
    },
    wanted: { kind: "words", terms: parseSearch(query) },
    withoutWords: false,
    similar: [],
    narrowed: false,
    progress: { state: "ready", stale: false, indexed: 1, found: 1 },
    hints: [],
    unshown: 0,
    ...more,
  });
}

it("says nothing where all words were found", () => {
  expect(noteOf("soil", 3)).toBeUndefined();
});

it("tells an exclusion that left nothing from words that are nowhere", () => {
  expect(noteOf("soil", 0)).toMatch(/^No note has any of these words; list_tags/);
  expect(noteOf("soil -clay", 0)).toMatch(/none of those to leave out; call again without these/);
});

it("tells words that are nowhere from words that are not where it was asked", () => {
  const narrow = noteOf("soil", 0, { narrowed: true });
  expect(narrow).toMatch(
    /^No note of this selection has any .* without folder, filters, pattern and tags all/,
  );
  expect(noteOf("soil", 0)).not.toMatch(/selection|without folder/);
});

it("names words that are spelled like those that are nowhere", () => {
  expect(noteOf("plumbr", 0, { similar: ["plumber", "plum"] })).toMatch(
    /much like them: "plumber", "plum"\./,
  );
});

it("points to where attachments are found", () => {
  expect(noteOf("invoice", 0)).toMatch(/Attachments are not searched; list_documents/);
  expect(noteOf("", 0, { wanted: { kind: "literal", text: "a.b" } })).toMatch(/Attachments are not searched/);
  expect(noteOf("invoice", 0, { hints: ["Only attachments fit."] })).not.toMatch(/are not searched/);
});

it("names the small words that need not be there", () => {
  expect(noteOf("who is the the plumber", 1)).toBe(
    'Small words need not be there ("who", "is", "the"); quote one that must.',
  );
});
