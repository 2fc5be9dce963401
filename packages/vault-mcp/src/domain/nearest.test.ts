import { expect, it } from "vitest";
import { nearest } from "./nearest.ts";
import { nameOf } from "./note/note.ts";

it.each([
  ["home.md", ["Home.md", "House.md", "Wood.md"], ["Home.md", "House.md"]],
  [
    "Notes/Plan.md",
    ["Archive/Plan.md", "Notes/Plane.md", "Notes/Zoo.md"],
    ["Archive/Plan.md", "Notes/Plane.md"],
  ],
  ["weekly", ["Weekly review.md", "x.md"], ["Weekly review.md"]],
  ["a", ["a", "b", "c"], ["a"]],
  ["", ["a"], []],
  ["zzzzzz", ["a.md"], []],
])("%s: %j", (wanted, candidates, expected) => {
  expect(nearest(wanted, candidates, 5, nameOf)).toEqual(expected);
});

it("gives no more than asked, in a lasting order", () => {
  expect(nearest("note1", ["note4", "note3", "note2"], 2)).toEqual(["note2", "note3"]);
});
