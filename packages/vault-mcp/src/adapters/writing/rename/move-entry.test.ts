import { linkSync, mkdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type TemporaryWriter, temporaryWriter } from "../../../../test/support/temporary-writer.ts";
import { TemporaryFiles } from "../temporary-files.ts";
import { type MoveSetting, moveEntry } from "./move-entry.ts";

let world: TemporaryWriter;
let setting: MoveSetting;

beforeEach(() => {
  world = temporaryWriter({ "old.md": "text", "Folder/x.md": "x" });
  const temporary = new TemporaryFiles(join(world.stateFolder, "temporary"));
  temporary.open();
  setting = { root: world.vault.root, temporary };
});

afterEach(() => world.dispose());

const at = (path: string) => join(world.vault.root, path);
const move = { from: "old.md", to: "Folder/new.md" };

it("moves a file under its one name", () => {
  expect(moveEntry(setting, move, false)).toBe("moved");
  expect(world.everything()).toEqual(["Folder", "Folder/new.md", "Folder/x.md"]);
  expect(statSync(at("Folder/new.md")).nlink).toBe(1);
  expect(moveEntry(setting, move, false)).toBe("moved");
});

it("completes a move that was cut short between its two names", () => {
  linkSync(at("old.md"), at("Folder/new.md"));
  expect(moveEntry(setting, move, false)).toBe("moved");
  expect(world.everything()).toEqual(["Folder", "Folder/new.md", "Folder/x.md"]);
});

it("moves onto nothing that exists", () => {
  expect(moveEntry(setting, { from: "old.md", to: "Folder/x.md" }, false)).toBe("taken");
  const racing: typeof linkSync = (from, to) => {
    writeFileSync(to, "theirs");
    linkSync(from, to);
  };
  expect(moveEntry({ ...setting, link: racing }, move, false)).toBe("taken");
  expect(world.text("old.md") + world.text("Folder/x.md") + world.text("Folder/new.md")).toBe("textxtheirs");
});

it("leaves what an editor saves at the old path while the file moves", () => {
  const saving: typeof linkSync = (from, to) => {
    linkSync(from, to);
    writeFileSync(at("old.md.tmp"), "the editor's work");
    renameSync(at("old.md.tmp"), at("old.md"));
  };
  expect(moveEntry({ ...setting, link: saving }, move, false)).toBe("moved");
  expect(world.text("Folder/new.md")).toBe("text");
  expect(world.text("old.md")).toBe("the editor's work");
  expect(world.everything()).toEqual(["Folder", "Folder/new.md", "Folder/x.md", "old.md"]);
});

it("moves a file where the file system has no hard links, and a folder", () => {
  const linkless = () => {
    throw Object.assign(new Error("no links"), { code: "EPERM" });
  };
  expect(moveEntry({ ...setting, link: linkless }, move, false)).toBe("moved");
  mkdirSync(at("Other"));
  expect(moveEntry(setting, { from: "Folder", to: "Other/Folder" }, true)).toBe("moved");
  expect(world.everything()).toEqual(["Other", "Other/Folder", "Other/Folder/new.md", "Other/Folder/x.md"]);
});
