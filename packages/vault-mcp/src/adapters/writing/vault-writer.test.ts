import { setMaxListeners } from "node:events";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { failureOf, type TemporaryWriter, temporaryWriter } from "../../../test/support/temporary-writer.ts";
import { etagOf } from "../../domain/etag.ts";
import { makeFile } from "./make-file.ts";
import { SavesByOthers } from "./saves-by-others.ts";
import { TemporaryFiles } from "./temporary-files.ts";

const { signal } = new AbortController();
setMaxListeners(100, signal);
let world: TemporaryWriter;
let outside: string;

beforeEach(() => {
  world = temporaryWriter({ "a.md": "old\r\n", "Folder/b.md": "b" });
  outside = mkdtempSync(join(tmpdir(), "vault-mcp-outside-"));
});

afterEach(async () => {
  await world.dispose();
  rmSync(outside, { recursive: true, force: true });
});

const create = (path: string, text: string) =>
  world.writer.exclusively(signal, () => world.writer.create(path, path, Buffer.from(text)));
const replace = (path: string, text: string) =>
  world.writer.exclusively(signal, async () =>
    world.writer.replace(await world.read(path), path, Buffer.from(text)),
  );
const trash = (path: string) =>
  world.writer.exclusively(signal, async () => world.writer.trash(await world.read(path), path));
/** What a replacement works with, some minutes after now. */
const replacing = (minutes = 0) => {
  const temporary = new TemporaryFiles(join(world.stateFolder, "t"));
  temporary.open();
  const now = () => new Date(Date.now() + minutes * 60_000);
  return { temporary, saves: new SavesByOthers(join(world.stateFolder, "own"), now) };
};
const temporaryRecords = () => readdirSync(join(world.stateFolder, "temporary"));
const unprivileged = async (work: () => Promise<void>) => {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
};

describe("create", () => {
  it("makes a file with its folders and leaves nothing else", async () => {
    expect(await create("New/deep/ä.md", "text\n")).toMatchObject({ path: "New/deep/ä.md" });
    expect(world.text("New/deep/ä.md")).toBe("text\n");
    expect(world.everything()).toEqual(["Folder", "Folder/b.md", "New", "New/deep", "New/deep/ä.md", "a.md"]);
    expect(temporaryRecords()).toEqual([]);
    const plain = join(outside, "plain");
    writeFileSync(plain, "");
    expect(lstatSync(join(world.vault.root, "New/deep/ä.md")).mode).toBe(lstatSync(plain).mode);
  });

  it("finds folders in NFC and never replaces anything", async () => {
    mkdirSync(join(world.vault.root, "Cafe\u0301"));
    expect(await create("Caf\u00e9/x.md", "x")).toMatchObject({ path: "Cafe\u0301/x.md" });
    for (const path of ["a.md", "A.md", "Folder/B.MD"]) {
      expect(await failureOf(create(path, "x"))).toMatchObject({ code: "ALREADY_EXISTS" });
    }
    expect(await failureOf(create("Caf\u00e9/X.md", "x"))).toMatchObject({ found: "Cafe\u0301/x.md" });
    expect(await failureOf(create("a.md/x.md", "x"))).toMatchObject({
      code: "ALREADY_EXISTS",
      found: "a.md",
    });
    expect(world.text("a.md")).toBe("old\r\n");
  });

  it("refuses what came to the place meanwhile", async () => {
    const place = { base: world.vault.root, folders: ["Made"], name: "c.md", path: "Made/c.md" };
    const racing: typeof linkSync = (draft, target) => {
      writeFileSync(String(target), "theirs");
      linkSync(draft, target);
    };
    await expect(
      makeFile(place, Buffer.from("ours"), { ...replacing(), link: racing }),
    ).rejects.toMatchObject({
      code: "EEXIST",
    });
    expect(world.text("Made/c.md")).toBe("theirs");
    expect(world.everything()).not.toContainEqual(expect.stringContaining(".vault-mcp"));
  });

  it("works where the file system has no hard links", async () => {
    const place = { base: world.vault.root, folders: [], name: "c.md", path: "c.md" };
    const linkless = () => {
      throw Object.assign(new Error("no links"), { code: "EPERM" });
    };
    await makeFile(place, Buffer.from("ours"), { ...replacing(), link: linkless });
    expect(world.text("c.md")).toBe("ours");
    await expect(
      makeFile(place, Buffer.from("again"), { ...replacing(), link: linkless }),
    ).rejects.toMatchObject({
      code: "EEXIST",
    });
    expect(world.text("c.md")).toBe("ours");
    expect(world.everything()).toEqual(["Folder", "Folder/b.md", "a.md", "c.md"]);
  });

  it("refuses names and kinds that are not for notes", async () => {
    expect(await failureOf(create("CON.md", "x"))).toMatchObject({
      code: "NAME_NOT_ALLOWED",
      name: "CON.md",
    });
    expect(await failureOf(create("a:b/c.md", "x"))).toMatchObject({ code: "NAME_NOT_ALLOWED", name: "a:b" });
    expect(await failureOf(create("x.exe", "x"))).toMatchObject({ code: "KIND_NOT_SERVED" });
    for (const path of [
      ".x.md",
      ".git/x.md",
      "Folder/.h/x.md",
      "node_modules/x.md",
      "New/Node_Modules/x.md",
    ]) {
      expect(await failureOf(create(path, "x"))).toMatchObject({ code: "PATH_HIDDEN" });
    }
    expect(world.everything()).toEqual(["Folder", "Folder/b.md", "a.md"]);
  });

  it("follows no link out of the vault, nor into what is hidden", async () => {
    symlinkSync(outside, join(world.vault.root, "out"));
    symlinkSync(join(outside, "nowhere"), join(world.vault.root, "dangling"));
    symlinkSync(join(world.vault.root, "loop"), join(world.vault.root, "loop"));
    mkdirSync(join(world.vault.root, ".hidden"));
    symlinkSync(join(world.vault.root, ".hidden"), join(world.vault.root, "shown"));
    symlinkSync(join(world.vault.root, "Folder"), join(world.vault.root, "inside"));
    for (const path of ["out/x.md", "out/deep/x.md", "dangling/x.md", "loop/x.md"]) {
      expect(await failureOf(create(path, "x"))).toMatchObject({ code: "PATH_OUTSIDE_VAULT" });
    }
    expect(await failureOf(create("shown/x.md", "x"))).toMatchObject({ code: "PATH_HIDDEN" });
    expect(await create("inside/x.md", "x")).toMatchObject({ path: "Folder/x.md" });
    expect(readdirSync(outside)).toEqual([]);
    expect(readdirSync(join(world.vault.root, ".hidden"))).toEqual([]);
    symlinkSync(join(outside, "file.md"), join(world.vault.root, "file.md"));
    expect(await failureOf(create("file.md", "x"))).toMatchObject({ code: "ALREADY_EXISTS" });
    expect(readdirSync(outside)).toEqual([]);
  });
});

describe("replace", () => {
  it("puts the new bytes in place, keeps the mode and the old content", async () => {
    const absolute = join(world.vault.root, "a.md");
    chmodSync(absolute, 0o640);
    const { kept, overtaken } = await replace("a.md", "new\n");
    expect(world.text("a.md")).toBe("new\n");
    expect(statSync(absolute).mode & 0o7777).toBe(0o640);
    expect(statSync(absolute).nlink).toBe(1);
    expect(overtaken).toBeUndefined();
    expect(kept).toBe(etagOf(Buffer.from("old\r\n")));
    expect((await world.writer.readVersion("a.md", kept ?? ""))?.bytes.toString()).toBe("old\r\n");
    expect(world.everything()).toEqual(["Folder", "Folder/b.md", "a.md"]);
    expect(temporaryRecords()).toEqual([]);
  });

  it("writes shorter and longer contents whole", async () => {
    for (const size of [100, 10, 1000, 0, 5_000_000]) {
      await replace("a.md", "x".repeat(size));
      expect(world.text("a.md")).toBe("x".repeat(size));
    }
  });

  it("refuses what changed since it was read, and says what is there", async () => {
    const file = await world.read("a.md");
    world.vault.write("a.md", "editor");
    const turn = () => world.writer.replace(file, "a.md", Buffer.from("mine"));
    expect(await failureOf(world.writer.exclusively(signal, turn))).toMatchObject({
      code: "ETAG_MISMATCH",
      current: `${etagOf(Buffer.from("editor"))}-partial`,
    });
    expect(world.text("a.md")).toBe("editor");
    expect(world.everything()).toEqual(["Folder", "Folder/b.md", "a.md"]);
    renameSync(join(world.vault.root, "a.md"), join(world.vault.root, "moved.md"));
    expect(await failureOf(world.writer.exclusively(signal, turn))).toMatchObject({ code: "NOT_WRITTEN" });
    expect(world.everything()).toEqual(["Folder", "Folder/b.md", "moved.md"]);
  });

  it("tells of other names of a file, which keep the old content", async () => {
    linkSync(join(world.vault.root, "a.md"), join(outside, "twin.md"));
    expect(await replace("a.md", "new")).toMatchObject({ otherNames: 1 });
    expect(readFileSync(join(outside, "twin.md"), "utf8")).toBe("old\r\n");
    expect(await replace("a.md", "newer")).toMatchObject({ otherNames: 0 });
  });

  it("writes through a link inside the vault and leaves the link", async () => {
    symlinkSync("a.md", join(world.vault.root, "link.md"));
    await replace("link.md", "new");
    expect(world.text("a.md")).toBe("new");
    expect(lstatSync(join(world.vault.root, "link.md")).isSymbolicLink()).toBe(true);
  });

  it("refuses where a link came into the place of a folder", async () => {
    writeFileSync(join(outside, "b.md"), "b");
    const file = await world.read("Folder/b.md");
    renameSync(join(world.vault.root, "Folder"), join(world.vault.root, "Was"));
    symlinkSync(outside, join(world.vault.root, "Folder"));
    const turn = () => world.writer.replace(file, "Folder/b.md", Buffer.from("mine"));
    expect(await failureOf(world.writer.exclusively(signal, turn))).toMatchObject({ code: "ETAG_MISMATCH" });
    expect(readFileSync(join(outside, "b.md"), "utf8")).toBe("b");
    expect(readdirSync(outside)).toEqual(["b.md"]);
  });

  it("gives one winner to two servers", async () => {
    const other = world.another();
    const file = await world.read("a.md");
    const outcomes = await Promise.allSettled(
      [world.writer, other].map((writer, index) =>
        writer.exclusively(signal, () => writer.replace(file, "a.md", Buffer.from(`winner ${index}`))),
      ),
    );
    const winner = outcomes.findIndex(({ status }) => status === "fulfilled");
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(outcomes[1 - winner]).toMatchObject({ reason: { code: "ETAG_MISMATCH" } });
    expect(world.text("a.md")).toBe(`winner ${winner}`);
  });

  it("loses none of many changes at once, from two servers", async () => {
    const writers = [world.writer, world.another()];
    const append = (writer: (typeof writers)[number], line: string) =>
      writer.exclusively(signal, async () => {
        const file = await world.read("a.md");
        await writer.replace(file, "a.md", Buffer.concat([file.bytes, Buffer.from(line)]));
      });
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}\n`);
    await Promise.all(lines.map((line, index) => append(writers[index % 2] ?? world.writer, line)));
    expect(world.text("a.md").split("\n").slice(1, -1).sort()).toEqual(
      lines.map((line) => line.trim()).sort(),
    );
  });
});

describe("trash", () => {
  it("moves a file to the vault's trash under its path and replaces nothing there", async () => {
    world.vault.write(".trash/Folder/b.md", "older");
    const { trashPath, kept } = await trash("Folder/b.md");
    expect(trashPath).toBe(".trash/Folder/b 2.md");
    expect(world.text(".trash/Folder/b.md")).toBe("older");
    expect(world.text(trashPath)).toBe("b");
    expect((await world.writer.versions("Folder/b.md"))[0]).toMatchObject({
      version: kept,
      wasDeleted: true,
    });
    expect(world.everything()).toEqual([
      ".trash",
      ".trash/Folder",
      ".trash/Folder/b 2.md",
      ".trash/Folder/b.md",
      "Folder",
      "a.md",
    ]);
    expect((await trash("a.md")).trashPath).toBe(".trash/a.md");
    await create("a.md", "back");
    await world.writer.forgetTrashed("a.md", etagOf(Buffer.from("old\r\n")));
    expect(world.everything()).not.toContain(".trash/a.md");
  });

  it("refuses a trash that leads out of the vault", async () => {
    symlinkSync(outside, join(world.vault.root, ".trash"));
    expect(await failureOf(trash("a.md"))).toMatchObject({ code: "NOT_WRITTEN" });
    rmSync(join(world.vault.root, ".trash"));
    mkdirSync(join(world.vault.root, ".trash"));
    symlinkSync(outside, join(world.vault.root, ".trash/Folder"));
    expect(await failureOf(trash("Folder/b.md"))).toMatchObject({ code: "NOT_WRITTEN" });
    expect(readdirSync(outside)).toEqual([]);
    expect(world.text("a.md") + world.text("Folder/b.md")).toBe("old\r\nb");
  });

  it("does not remove what an editor saved since it was read", async () => {
    const file = await world.read("a.md");
    world.vault.write("a.md", "editor");
    const turn = () => world.writer.trash(file, "a.md");
    expect(await failureOf(world.writer.exclusively(signal, turn))).toMatchObject({ code: "ETAG_MISMATCH" });
    expect(world.text("a.md")).toBe("editor");
  });
});

describe("faults", () => {
  it("leaves the old note whole where the folder or the file is read-only", async () => {
    chmodSync(world.vault.root, 0o555);
    chmodSync(join(world.vault.root, "Folder"), 0o777);
    chmodSync(join(world.vault.root, "Folder/b.md"), 0o444);
    chmodSync(world.stateFolder, 0o777);
    await unprivileged(async () => {
      for (const attempt of [
        () => replace("a.md", "new"),
        () => create("c.md", "c"),
        () => create("d/c.md", "c"),
        () => trash("a.md"),
        () => replace("Folder/b.md", "new"),
      ]) {
        expect(await failureOf(attempt())).toMatchObject({
          code: "NOT_WRITTEN",
          reason: "permission denied",
        });
      }
    });
    chmodSync(world.vault.root, 0o755);
    expect(world.everything()).toEqual(["Folder", "Folder/b.md", "a.md"]);
    expect(world.text("a.md") + world.text("Folder/b.md")).toBe("old\r\nb");
  });

  it("says that the state folder cannot be used, without naming it", async () => {
    rmSync(world.stateFolder, { recursive: true });
    writeFileSync(world.stateFolder, "");
    const failure = await failureOf(replace("a.md", "new"));
    expect(failure).toMatchObject({ code: "NOT_WRITTEN", reason: expect.stringContaining("state folder") });
    expect(JSON.stringify(failure)).not.toContain(world.stateFolder);
    expect(world.text("a.md")).toBe("old\r\n");
  });

  it("says that the vault is gone", async () => {
    const file = await world.read("a.md");
    rmSync(world.vault.root, { recursive: true });
    const turn = () => world.writer.replace(file, "a.md", Buffer.from("new"));
    expect(await failureOf(world.writer.exclusively(signal, turn))).toMatchObject({
      code: "VAULT_UNREADABLE",
      path: "",
    });
    expect(await failureOf(create("new.md", "x"))).toMatchObject({ code: "VAULT_UNREADABLE", path: "" });
  });

  it("ends the waiting when the call is cancelled, and lets nobody in before their turn", async () => {
    let free = () => {};
    const begun = new Promise<void>((resolveBegun) => {
      const turn = () =>
        new Promise<void>((resolve) => {
          free = resolve;
          resolveBegun();
        });
      world.writer.exclusively(signal, turn);
    });
    await begun;
    for (const writer of [world.writer, world.another()]) {
      const stop = new AbortController();
      const waiting = writer.exclusively(stop.signal, async () => {});
      stop.abort(new Error("cancelled"));
      await expect(waiting).rejects.toThrow("cancelled");
    }
    const order: string[] = [];
    const next = world.writer.exclusively(signal, async () => order.push("next"));
    order.push("free");
    free();
    await next;
    expect(order).toEqual(["free", "next"]);
  });
});
