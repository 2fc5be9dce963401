import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  failureOf,
  type TemporaryWriter,
  temporaryWriter,
} from "../../../../test/support/temporary-writer.ts";
import { etagOf } from "../../../domain/etag.ts";
import { planRename } from "../../../domain/writing/rename/plan-rename.ts";
import { loadYamlParser } from "../../load-yaml-parser.ts";

const { signal } = new AbortController();
let world: TemporaryWriter;

beforeEach(() => {
  world = temporaryWriter({
    "in/idea.md": "[self](#h) [p](../p.md)",
    "in/pic.png": "pic",
    "p.md": "[[in/idea]] [l](in/idea.md) ![[in/pic.png]]\r\n",
    "q.md": "[[p]]",
  });
});

afterEach(() => world.dispose());

/** Plans and carries out a rename; `between` happens after the plan. */
async function rename(from: string, to: string, between = () => {}, stop = signal) {
  const { writer } = world;
  const parseYaml = await loadYamlParser();
  return writer.exclusively(signal, async () => {
    const item = await writer.renames.findItem(from, from);
    if (item === undefined) throw new Error(`no ${from}`);
    const { path: target } = await writer.renames.findTarget(item, to, to);
    const plan = await planRename(
      writer.renames,
      { from: item.path, to: target },
      { parseYaml, signal, progress: () => {} },
    );
    between();
    const outcome = await writer.renames.move(item, target, to, plan.files, stop, {
      moved: () => {},
      changed: () => {},
    });
    return { ...outcome, changed: plan.files.map(({ path }) => path) };
  });
}

const isClean = () => {
  expect(world.everything().filter((path) => path.includes(".vault-mcp-"))).toEqual([]);
  expect(readdirSync(join(world.stateFolder, "temporary"))).toEqual([]);
  expect(existsSync(join(world.stateFolder, "rename.json"))).toBe(false);
};

describe("VaultMover", () => {
  it("moves a note, an attachment and a folder with their links", async () => {
    expect((await rename("in/idea.md", "out/deep/thought.md")).changed.sort()).toEqual([
      "in/idea.md",
      "p.md",
    ]);
    expect(world.text("out/deep/thought.md")).toBe("[self](#h) [p](../../p.md)");
    expect(world.text("p.md")).toBe("[[deep/thought]] [l](out/deep/thought.md) ![[in/pic.png]]\r\n");
    await rename("in/pic.png", "img.png");
    expect(world.text("p.md")).toBe("[[deep/thought]] [l](out/deep/thought.md) ![[img.png]]\r\n");
    await rename("out", "Away/out");
    expect(world.text("p.md")).toBe("[[deep/thought]] [l](Away/out/deep/thought.md) ![[img.png]]\r\n");
    expect(world.text("Away/out/deep/thought.md")).toBe("[self](#h) [p](../../../p.md)");
    expect(world.everything()).toEqual([
      "Away",
      "Away/out",
      "Away/out/deep",
      "Away/out/deep/thought.md",
      "img.png",
      "in",
      "p.md",
      "q.md",
    ]);
    isClean();
  });

  it("changes case alone, keeps the mode and lets older contents follow", async () => {
    const turn = async () => world.writer.replace(await world.read("q.md"), "q.md", Buffer.from("[[p]] new"));
    const { kept } = await world.writer.exclusively(signal, turn);
    const before = statSync(join(world.vault.root, "q.md"));
    await rename("q.md", "Q.md");
    expect(world.everything()).toContain("Q.md");
    expect(world.everything()).not.toContain("q.md");
    const { mode, nlink, ino } = statSync(join(world.vault.root, "Q.md"));
    expect({ mode, nlink, ino }).toEqual({ mode: before.mode, nlink: 1, ino: before.ino });
    expect((await world.writer.readVersion("Q.md", kept ?? ""))?.bytes.toString()).toBe("[[p]]");
  });

  it("never moves onto something, nor into what it should not", async () => {
    const before = world.everything();
    world.vault.write(".hidden/x.md", "x");
    for (const [from, to, code] of [
      ["q.md", "p.md", "ALREADY_EXISTS"],
      ["q.md", "P.md", "ALREADY_EXISTS"],
      ["q.md", "in", "ALREADY_EXISTS"],
      ["in", "p.md", "ALREADY_EXISTS"],
      ["q.md", "p.md/q.md", "ALREADY_EXISTS"],
      ["q.md", ".hidden/q.md", "PATH_HIDDEN"],
      [".hidden", "shown", "PATH_HIDDEN"],
      ["in", ".hidden/in", "PATH_HIDDEN"],
      ["q.md", "q.exe", "KIND_NOT_SERVED"],
      ["q.md", "q#.md", "NAME_NOT_ALLOWED"],
    ] as const) {
      expect(await failureOf(rename(from, to)), `${from} ${to}`).toMatchObject({ code });
    }
    rmSync(join(world.vault.root, ".hidden"), { recursive: true });
    expect(world.everything()).toEqual(before);
    expect(world.text("p.md") + world.text("q.md")).toBe(
      "[[in/idea]] [l](in/idea.md) ![[in/pic.png]]\r\n[[p]]",
    );
  });

  it("never merges two names of one file, and tells which texts other names keep", async () => {
    linkSync(join(world.vault.root, "q.md"), join(world.vault.root, "Q.md"));
    linkSync(join(world.vault.root, "q.md"), join(world.vault.root, "twin.md"));
    for (const to of ["Q.md", "twin.md"]) {
      expect(await failureOf(rename("q.md", to))).toMatchObject({ code: "ALREADY_EXISTS", found: to });
    }
    // The last of the three has no other name left.
    expect((await rename("p.md", "r.md")).parted).toHaveLength(2);
    for (const path of ["Q.md", "q.md", "twin.md"]) expect(world.text(path)).toBe("[[r]]");
    isClean();
  });

  it("follows no link out of the vault", async () => {
    const outside = mkdtempSync(join(tmpdir(), "vault-mcp-outside-"));
    try {
      writeFileSync(join(outside, "s.md"), "s");
      symlinkSync(outside, join(world.vault.root, "out"));
      symlinkSync("p.md", join(world.vault.root, "link.md"));
      for (const [from, to, code] of [
        ["q.md", "out/q.md", "PATH_OUTSIDE_VAULT"],
        ["out/s.md", "s.md", "PATH_OUTSIDE_VAULT"],
        ["out", "elsewhere", "NOT_A_FILE"],
        ["link.md", "l.md", "NOT_A_FILE"],
      ] as const) {
        expect(await failureOf(rename(from, to)), `${from} ${to}`).toMatchObject({ code });
      }
      expect(readdirSync(outside)).toEqual(["s.md"]);
      expect(world.text("q.md")).toBe("[[p]]");
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  it("works on the text that an editor saved after the plan, and keeps what was replaced", async () => {
    const saved = "An editor's line. [[in/idea|still]]\r\n";
    const { reworked } = await rename("in/idea.md", "out/idea2.md", () => world.vault.write("p.md", saved));
    expect(reworked).toEqual(["p.md"]);
    expect(world.text("p.md")).toBe("An editor's line. [[out/idea2|still]]\r\n");
    expect((await world.writer.readVersion("p.md", etagOf(Buffer.from(saved))))?.bytes.toString()).toBe(
      saved,
    );
    isClean();
  });

  it("does nothing where something comes to the new path, or the old one goes, after the plan", async () => {
    const taken = rename("in/idea.md", "new.md", () => world.vault.write("new.md", "theirs"));
    expect(await failureOf(taken)).toMatchObject({ code: "ALREADY_EXISTS" });
    expect(world.text("new.md")).toBe("theirs");
    const gone = rename("in/idea.md", "other.md", () =>
      renameSync(join(world.vault.root, "in/idea.md"), join(world.vault.root, "kept.md")),
    );
    expect(await failureOf(gone)).toMatchObject({ code: "NOT_WRITTEN" });
    expect(world.text("p.md")).toBe("[[in/idea]] [l](in/idea.md) ![[in/pic.png]]\r\n");
    isClean();
  });

  it("does nothing where one of the texts may not be changed, and names it", async () => {
    chmodSync(join(world.vault.root, "p.md"), 0o444);
    for (const path of ["", "in", "in/idea.md"]) chmodSync(join(world.vault.root, path), 0o777);
    chmodSync(world.stateFolder, 0o777);
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      expect(await failureOf(rename("in/idea.md", "new.md"))).toMatchObject({
        code: "NOT_WRITTEN",
        path: "p.md",
      });
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
    expect(world.everything()).toEqual(["in", "in/idea.md", "in/pic.png", "p.md", "q.md"]);
    expect(world.text("in/idea.md")).toBe("[self](#h) [p](../p.md)");
    isClean();
  });

  it("stops as long as nothing has happened", async () => {
    const stop = new AbortController();
    const stopped = rename("in/idea.md", "new.md", () => stop.abort(new Error("stopped")), stop.signal);
    await expect(stopped).rejects.toThrow("stopped");
    expect(world.everything()).toEqual(["in", "in/idea.md", "in/pic.png", "p.md", "q.md"]);
    expect(world.text("p.md")).toBe("[[in/idea]] [l](in/idea.md) ![[in/pic.png]]\r\n");
    isClean();
  });

  it("completes after a crash what a journal commits to, also over files edited since", async () => {
    mkdirSync(join(world.stateFolder), { recursive: true });
    const text = "[[in/idea]] [l](in/idea.md) ![[in/pic.png]]\r\n";
    const entry = {
      path: "p.md",
      before: etagOf(Buffer.from(text)),
      after: "0".repeat(16),
      draft: ".vault-mcp-gone",
    };
    const journal = { from: "in/idea.md", to: "in/thought.md", isFolder: false, files: [entry], format: 1 };
    const left = { path: "missing.md", before: "1", after: "2", draft: ".vault-mcp-x" };
    writeFileSync(
      join(world.stateFolder, "rename.json"),
      JSON.stringify({ ...journal, files: [entry, left] }),
    );
    world.vault.write("p.md", `edited ${text}`);
    expect(world.writer.isUnfinished).toBe(true);
    await world.writer.exclusively(signal, async () => {});
    expect(world.text("p.md")).toBe("edited [[in/thought]] [l](in/thought.md) ![[in/pic.png]]\r\n");
    expect(world.text("in/thought.md")).toBe("[self](#h) [p](../p.md)");
    expect(world.reports).toEqual([
      expect.stringMatching(/^completed the rename of "in\/idea.md" .*but for 1 files/),
    ]);
    isClean();
  });

  it("gives up after a crash where something has come to the new path", async () => {
    mkdirSync(join(world.stateFolder), { recursive: true });
    const journal = { from: "q.md", to: "p.md", isFolder: false, files: [], format: 1 };
    writeFileSync(join(world.stateFolder, "rename.json"), JSON.stringify(journal));
    await world.writer.exclusively(signal, async () => {});
    expect(world.reports).toEqual([expect.stringContaining("gave up")]);
    expect(world.text("q.md")).toBe("[[p]]");
    isClean();
  });
});
