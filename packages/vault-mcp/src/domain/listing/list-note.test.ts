import { expect, it } from "vitest";
import { type ListCircumstances, listNote } from "./list-note.ts";

const quiet: ListCircumstances = {
  page: {
    documents: [],
    more: false,
    total: 0,
    walk: { epoch: "e", generation: 1 },
    changedSince: false,
    hints: [],
  },
  progress: { state: "ready", indexed: 5, found: 5, stale: false },
  timedOut: false,
  filtersExcludeAttachments: false,
  shortened: false,
};

it("has nothing to say where everything is as asked", () => {
  expect(listNote(quiet)).toBeUndefined();
});

it.each<[Partial<ListCircumstances>, RegExp]>([
  [{ progress: { state: "building", indexed: 3, found: 9, stale: true } }, /indexed 3 of 9 files/],
  [{ timedOut: true }, /took too long/],
  [{ filtersExcludeAttachments: true }, /Filters exclude attachments/],
  [{ shortened: true }, /2,000 characters are shortened/],
  [{ page: { ...quiet.page, changedSince: true } }, /start again without cursor/],
])("tells %j", (circumstances, text) => {
  expect(listNote({ ...quiet, ...circumstances })).toMatch(text);
});

it("does not call missing what may still come", () => {
  const hints = [{ kind: "folder", name: "x", nearest: [] }] as const;
  const building = { state: "building", indexed: 0, found: 9, stale: true } as const;
  expect(listNote({ ...quiet, progress: building, page: { ...quiet.page, hints } })).not.toMatch(/no folder/);
});

it("names what is not there and what is near, foreign text in quotes and bounded", () => {
  const note = listNote({
    ...quiet,
    page: {
      ...quiet.page,
      hints: [
        { kind: "folder", name: 'x"\n', nearest: ["Folder X"] },
        { kind: "key", name: "k".repeat(500), nearest: [] },
        { kind: "tag", name: "t", nearest: ["tt", "tx"] },
        { kind: "value", key: "status", name: "dr", nearest: ["draft", "stable"], complete: true },
        { kind: "value", key: "owner", name: "ann", nearest: [], complete: false },
        { kind: "value", key: "owner", name: "ann", nearest: ["Anna"], complete: false },
        { kind: "value", key: "tags", name: "a", nearest: ["a, b"], complete: false },
        { kind: "pattern", name: "jornal/*", nearest: ["Journal"] },
        { kind: "together", key: "tags" },
        { kind: "attachments" },
        { kind: "root" },
      ],
    },
  });
  expect(note).toBe(
    [
      'There is no folder "x\\"\\n"; nearest: "Folder X".',
      `No note has the key "${"k".repeat(100)}".`,
      'No note has the tag "t"; nearest: "tt", "tx".',
      'No note has status "dr"; there are "draft", "stable".',
      'No note has owner "ann"; list_properties with this key shows its values.',
      'No note has owner "ann"; nearest: "Anna".',
      'No note has tags "a"; the argument tags minds all tags of a note.',
      'No path fits the pattern "jornal/*"; nearest: "Journal".',
      'No note has all of these values of "tags"; {"in": [...]} takes any of them.',
      "Only attachments fit; list_documents shows them with include_attachments.",
      "Nothing lies at the root level itself; leave folder out for the whole vault.",
    ].join(" "),
  );
});
