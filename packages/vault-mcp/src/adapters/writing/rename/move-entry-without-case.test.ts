import { linkSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type TemporaryWriter, temporaryWriter } from "../../../../test/support/temporary-writer.ts";
import { TemporaryFiles } from "../temporary-files.ts";
import { moveEntry } from "./move-entry.ts";

// No such file system can be mounted everywhere: names are looked up as one would that makes no difference of case.
vi.mock("../find-place.ts", async (original) => ({
  ...(await original<object>()),
  statOf(absolute: string) {
    const wanted = basename(absolute).toLowerCase();
    const found = readdirSync(dirname(absolute)).find((name) => name.toLowerCase() === wanted);
    return found === undefined ? undefined : lstatSync(join(dirname(absolute), found));
  },
}));

let world: TemporaryWriter;
let temporary: TemporaryFiles;

beforeEach(() => {
  world = temporaryWriter({ "note.md": "text", "Folder/x.md": "x" });
  temporary = new TemporaryFiles(join(world.stateFolder, "temporary"));
  temporary.open();
});
afterEach(() => world.dispose());

const move = (from: string, to: string, isFolder = false) =>
  moveEntry({ root: world.vault.root, temporary }, { from, to }, isFolder);

it("changes the case of a name alone, of a note and of a folder", () => {
  expect(move("note.md", "Note.md")).toBe("moved");
  expect(move("Folder", "FOLDER", true)).toBe("moved");
  expect(world.everything()).toEqual(["FOLDER", "FOLDER/x.md", "Note.md"]);
  expect(world.text("Note.md")).toBe("text");
});

it("takes a note with another hard link for what it is, not for a move that was cut short", () => {
  linkSync(join(world.vault.root, "note.md"), join(world.stateFolder, "twin.md"));
  expect(move("note.md", "Note.md")).toBe("moved");
  expect(world.everything()).toEqual(["Folder", "Folder/x.md", "Note.md"]);
  expect(readFileSync(join(world.stateFolder, "twin.md"), "utf8")).toBe("text");
});

it("moves onto nothing that is there in another case", () => {
  expect(move("note.md", "Folder/X.md")).toBe("taken");
  expect(world.everything()).toEqual(["Folder", "Folder/x.md", "note.md"]);
});
