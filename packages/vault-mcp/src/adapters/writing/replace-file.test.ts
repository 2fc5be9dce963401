import { execFileSync } from "node:child_process";
import { linkSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { failureOf, type TemporaryWriter, temporaryWriter } from "../../../test/support/temporary-writer.ts";
import { etagOf } from "../../domain/etag.ts";
import { replaceFile } from "./replace-file.ts";
import { SavesByOthers } from "./saves-by-others.ts";
import { TemporaryFiles } from "./temporary-files.ts";

let world: TemporaryWriter;

beforeEach(() => {
  world = temporaryWriter({ "a.md": "old\r\n", "Folder/b.md": "b" });
});
afterEach(() => world.dispose());

/** What a replacement works with, some minutes after now. */
const replacing = (minutes = 0) => {
  const temporary = new TemporaryFiles(join(world.stateFolder, "t"));
  temporary.open();
  const now = () => new Date(Date.now() + minutes * 60_000);
  return { temporary, saves: new SavesByOthers(join(world.stateFolder, "own"), now) };
};
const replacement = (expected: string) => ({
  absolute: join(world.vault.root, "a.md"),
  path: "a.md",
  given: "a.md",
  expected: etagOf(Buffer.from(expected)),
});
/** Saves as many editors do, in a process of its own. */
const saveByRename = (text: string) => {
  const script = 'printf %s "$1" > "$0.tmp" && mv -f "$0.tmp" "$0"';
  execFileSync("sh", ["-c", script, join(world.vault.root, "a.md"), text]);
};
describe("replaceFile", () => {
  it("keeps what an editor saved in place between the last look and the replacement", async () => {
    for (const minutes of [0, 60]) {
      world.vault.write("a.md", "old");
      const saving: typeof renameSync = (from, to) => {
        if (String(from).endsWith("a.md") || String(to).endsWith("a.md"))
          writeFileSync(join(world.vault.root, "a.md"), "the editor's work");
        renameSync(from, to);
      };
      const { overtaken } = await replaceFile(replacement("old"), Buffer.from("ours"), {
        ...replacing(minutes),
        rename: saving,
      });
      expect(overtaken?.toString()).toBe("the editor's work");
      expect(world.text("a.md")).toBe("ours");
      expect(world.everything()).toEqual(["Folder", "Folder/b.md", "a.md"]);
    }
  });

  it("never replaces what another process saves by a rename at the last instant", async () => {
    world.vault.write("a.md", "old");
    const saving: typeof renameSync = (from, to) => {
      saveByRename("theirs");
      renameSync(from, to);
    };
    const racing = { ...replacing(), rename: saving };
    expect(await failureOf(replaceFile(replacement("old"), Buffer.from("ours"), racing))).toMatchObject({
      code: "ETAG_MISMATCH",
      current: `${etagOf(Buffer.from("theirs"))}-partial`,
    });
    expect(world.text("a.md")).toBe("theirs");
    expect(world.everything()).toEqual(["Folder", "Folder/b.md", "a.md"]);
    expect(readdirSync(join(world.stateFolder, "t"))).toEqual([]);
  });

  it("leaves what another process saves while the name is free", async () => {
    world.vault.write("a.md", "old");
    const saving: typeof linkSync = (from, to) => {
      saveByRename("theirs");
      linkSync(from, to);
    };
    const racing = { ...replacing(), link: saving };
    expect(await failureOf(replaceFile(replacement("old"), Buffer.from("ours"), racing))).toMatchObject({
      code: "ETAG_MISMATCH",
    });
    expect(world.text("a.md")).toBe("theirs");
    expect(world.everything()).toEqual(["Folder", "Folder/b.md", "a.md"]);
  });

  it("puts the note back where the new one cannot get the name", async () => {
    world.vault.write("a.md", "old");
    const full: typeof linkSync = () => {
      throw Object.assign(new Error("full"), { code: "ENOSPC" });
    };
    const failing = { ...replacing(), link: full };
    await expect(replaceFile(replacement("old"), Buffer.from("ours"), failing)).rejects.toThrow("full");
    expect(world.text("a.md")).toBe("old");
    expect(world.everything()).toEqual(["Folder", "Folder/b.md", "a.md"]);
  });

  it("takes no note out of its place that only servers and nobody else have put there lately", async () => {
    const calls: string[] = [];
    const spying: typeof renameSync = (from, to) => {
      calls.push(`${basename(String(from)).slice(0, 5)} ${basename(String(to)).slice(0, 5)}`);
      renameSync(from, to);
    };
    // Long after it came; then of a server's own making; then an editor has saved it.
    await replaceFile(replacement("old\r\n"), Buffer.from("1"), { ...replacing(60), rename: spying });
    await replaceFile(replacement("1"), Buffer.from("2"), { ...replacing(), rename: spying });
    expect(calls).toEqual([".vaul a.md", ".vaul a.md"]);
    saveByRename("3");
    await replaceFile(replacement("3"), Buffer.from("4"), { ...replacing(), rename: spying });
    await replaceFile(replacement("4"), Buffer.from("5"), { ...replacing(), rename: spying });
    await replaceFile(replacement("5"), Buffer.from("6"), { ...replacing(60), rename: spying });
    expect(calls.slice(2)).toEqual(["a.md .vaul", "a.md .vaul", ".vaul a.md"]);
    expect(world.text("a.md")).toBe("6");
  });
});
