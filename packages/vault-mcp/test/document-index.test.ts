import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import type { NoteDocument } from "../src/domain/document.ts";
import { type IndexSetup, type OpenedIndex, openIndex } from "./support/open-index.ts";
import { type TemporaryVault, temporaryVault } from "./support/temporary-vault.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

function open(
  files: Record<string, string | Uint8Array>,
  setup?: IndexSetup,
): OpenedIndex & { vault: TemporaryVault } {
  const vault = temporaryVault(files);
  const opened = openIndex(vault.root, setup);
  cleanups.push(() => opened.index.close(), vault.dispose);
  return { ...opened, vault };
}

const signal = new AbortController().signal;

async function note(opened: OpenedIndex, path: string): Promise<NoteDocument> {
  const { documents } = await opened.page();
  const found = documents.find(({ document }) => document.path === path)?.document;
  if (found?.kind !== "note") throw new Error(`no note ${path}`);
  return found;
}

describe("what is listed", () => {
  it("lists notes, empty ones too, in binary order, and attachments on request", async () => {
    const { paths } = open({
      "b.md": "x",
      "a.md": "",
      "Z.MD": "",
      "c.markdown": "",
      "p.png": "",
      "x.exe": "",
      "ä.md": "",
    });
    expect(await paths()).toEqual(["Z.MD", "a.md", "b.md", "c.markdown", "ä.md"]);
    expect(await paths({ include_attachments: true })).toEqual([
      "Z.MD",
      "a.md",
      "b.md",
      "c.markdown",
      "p.png",
      "ä.md",
    ]);
  });

  it("keeps hidden files out, notes and attachments alike", async () => {
    const { paths } = open(
      {
        "a.md": "",
        ".h.md": "",
        ".o/x.md": "",
        "s/.g/y.png": "",
        "node_modules/z.md": "",
        "Ex/e.md": "",
        "Ex/e.png": "",
      },
      { rules: { exclude: ["Ex"] } },
    );
    expect(await paths({ include_attachments: true })).toEqual(["a.md"]);
  });

  it("adds nothing for links, and ends where they lead in a circle", async () => {
    const { paths, vault } = open({ "a.md": "A", "s/b.md": "B" });
    symlinkSync("a.md", `${vault.root}/l.md`);
    symlinkSync("..", `${vault.root}/s/up`);
    symlinkSync("/etc", `${vault.root}/etc`);
    symlinkSync("nowhere.md", `${vault.root}/bad.md`);
    expect(await paths()).toEqual(["a.md", "s/b.md"]);
  });

  it("takes pipes and devices for nothing", async () => {
    const { paths, vault } = open({ "a.md": "A" });
    execFileSync("mkfifo", [`${vault.root}/pipe.md`]);
    expect(await paths()).toEqual(["a.md"]);
  });

  it("lists a note that cannot be read, too, with the reason, and all the others", async () => {
    const opened = open({
      "bad.md": '---\na: "open\n---\nbody #tag',
      "latin.md": Uint8Array.from([0x23, 0x20, 0xe9, 0x0a]),
      "good.md": "---\na: 1\n---\n",
      "huge.md": "",
    });
    truncateSync(`${opened.vault.root}/huge.md`, 60_000_000);
    expect(await opened.paths()).toEqual(["bad.md", "good.md", "huge.md", "latin.md"]);
    expect(await note(opened, "bad.md")).toMatchObject({
      tags: ["tag"],
      frontmatter: {},
      parseError: { line: 3 },
    });
    expect(await note(opened, "latin.md")).toMatchObject({
      title: "é",
      parseError: { message: "is not UTF-8 text" },
    });
    expect(await note(opened, "huge.md")).toMatchObject({ etag: undefined, sizeBytes: 60_000_000 });
    expect(await opened.paths({ filters: { a: { exists: false } } })).toEqual([]);
    expect(await opened.paths({ filters: { a: { ne: 2 } } })).toEqual(["good.md"]);
  });

  it("knows title, sizes, times and tag of a note", async () => {
    const opened = open({
      "s/n.md": "---\ncreated: 2031-02-03T00:00:00Z\n---\n# Ti\u00e9 🌱\nx",
      "t.md": "---\ntitle: 2031\n---\n# no",
      "u.md": "## no\n",
    });
    utimesSync(`${opened.vault.root}/s/n.md`, 1_000_000_000, 1_000_000_000);
    expect(await note(opened, "s/n.md")).toMatchObject({
      title: "Tié 🌱",
      contentChars: 9,
      modifiedAt: 1_000_000_000_000,
      createdAt: Date.UTC(2031, 1, 3),
    });
    expect((await note(opened, "t.md")).title).toBe("2031");
    expect((await note(opened, "u.md")).title).toBe("u");
  });

  it("gives the earliest time that it has seen for a path as its creation", async () => {
    const opened = open({ "n.md": "one" });
    utimesSync(`${opened.vault.root}/n.md`, 1_000_000_000, 1_000_000_000);
    expect((await note(opened, "n.md")).createdAt).toBe(1_000_000_000_000);
    rmSync(`${opened.vault.root}/n.md`);
    opened.vault.write("n.md", "two");
    await opened.index.settle(10_000, signal);
    expect(await note(opened, "n.md")).toMatchObject({ contentChars: 3, createdAt: 1_000_000_000_000 });
  });
});

describe("selections", () => {
  const files = {
    "Notes [2031]/a.md": "---\nstatus: draft\n---\n#work/x",
    "Notes 2/a.md": "---\nstatus: draft\ntags: work\n---\n",
    "Notes 2/deep/b.md": "---\nSTATUS: x\n---\n",
    "c.md": "---\ntags: [work, home]\n---\n",
    "pic.png": "",
  };

  it("folders: everything below, the root level alone, either form, and the nearest names", async () => {
    const { paths, page, vault } = open(files);
    mkdirSync(`${vault.root}/Empty`);
    expect(await paths({ folder: "Notes 2" })).toEqual(["Notes 2/a.md", "Notes 2/deep/b.md"]);
    expect(await paths({ folder: "Notes 2/" })).toEqual(await paths({ folder: "Notes 2" }));
    expect(await paths({ folder: "" })).toEqual(["c.md"]);
    expect(await paths({ folder: "Notes" })).toEqual([]);
    expect((await page({ folder: "Empty" })).hints).toEqual([]);
    expect((await page({ folder: "notes 2" })).hints).toEqual([
      { kind: "folder", name: "notes 2", nearest: ["Notes 2"] },
    ]);
  });

  it("patterns: brackets of a name are that name", async () => {
    const { paths } = open(files);
    expect(await paths({ pattern: "Notes [2031]/*.md" })).toEqual(["Notes [2031]/a.md"]);
    expect(await paths({ pattern: "*.md" })).toEqual(await paths());
    expect(await paths({ pattern: "**/*.md" })).toEqual(await paths());
    await expect(paths({ pattern: "*a*a*a*a" })).rejects.toMatchObject({ code: "PATTERN_TOO_COSTLY" });
  });

  it("tags: in frontmatter as word or list, and in the text, all of them", async () => {
    const { paths, page } = open(files);
    expect(await paths({ tags: ["work"] })).toEqual(["Notes 2/a.md", "Notes [2031]/a.md", "c.md"]);
    expect(await paths({ tags: ["#WORK", "home"] })).toEqual(["c.md"]);
    for (const wrong of ["wrok", "!wrok"])
      expect((await page({ tags: [wrong] })).hints).toEqual([
        { kind: "tag", name: "wrok", nearest: ["work"] },
      ]);
  });

  it("tags: some that a note must not have, whatever else it has", async () => {
    const { paths } = open(files);
    expect(await paths({ tags: ["work", "!home"] })).toEqual(["Notes 2/a.md", "Notes [2031]/a.md"]);
    const others = (await paths()).filter((path) => path !== "c.md");
    expect(await paths({ tags: ["!#Home"] })).toEqual(others);
    const everything = await paths({ include_attachments: true });
    expect(await paths({ tags: ["!home"], include_attachments: true })).toEqual(
      everything.filter((path) => path !== "c.md"),
    );
    for (const tag of ["!", "!#", "", "!!a"])
      await expect(paths({ tags: [tag] })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  it("filters: exclude attachments, and a key that no note has is told", async () => {
    const { paths, page } = open(files);
    expect(await paths({ filters: { status: { ne: "x" } }, include_attachments: true })).not.toContain(
      "pic.png",
    );
    expect((await page({ filters: { stauts: "x" } })).hints).toMatchObject([
      { kind: "key", name: "stauts", nearest: expect.arrayContaining(["status"]) },
    ]);
  });

  it("times: from an instant on, and before one", async () => {
    const { paths, vault } = open(files);
    const all = ["Notes 2/a.md", "Notes 2/deep/b.md", "c.md"];
    for (const [index, path] of all.entries())
      utimesSync(`${vault.root}/${path}`, 100, 86_400 * (365 * 30 + index));
    const date = (path: string) => statSync(`${vault.root}/${path}`).mtime.toISOString();
    const before = { modified_before: "2005-01-01" };
    expect(await paths(before)).toEqual(all);
    const empty = { modified_after: "2031-02-03", modified_before: "2031-02-03" };
    await expect(paths(empty)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(await paths({ ...before, modified_after: date(all[1] ?? "") })).toEqual(all.slice(1));
    expect(await paths({ modified_before: date(all[1] ?? "") })).toEqual(all.slice(0, 1));
  });

  it("orders: numbers before texts, what lacks the value and attachments last, ties by path", async () => {
    const { paths } = open({
      "a.md": "---\nn: 10\n---\n# beta",
      "b.md": "---\nn: 9\n---\n# Alpha",
      "c.md": "---\nn: x\n---\n# alpha",
      "d.md": "# Émile",
      "e.md": "---\nn: [11, 1]\n---\n# zed",
      "p.png": "",
    });
    const all = { include_attachments: true };
    expect(await paths({ ...all, sort: "frontmatter.n" })).toEqual([
      "b.md",
      "a.md",
      "e.md",
      "c.md",
      "d.md",
      "p.png",
    ]);
    expect(await paths({ ...all, sort: "frontmatter.n", order: "desc" })).toEqual([
      "c.md",
      "e.md",
      "a.md",
      "b.md",
      "d.md",
      "p.png",
    ]);
    expect(await paths({ ...all, sort: "title" })).toEqual(["b.md", "c.md", "a.md", "e.md", "d.md", "p.png"]);
    expect(await paths({ ...all, order: "desc" })).toEqual(["p.png", "e.md", "d.md", "c.md", "b.md", "a.md"]);
  });
});

describe("bundles", () => {
  const files = {
    "index.md": "---\nokf_version: 0.2\n---\n",
    "a.md": "---\nstatus: draft\nstale_after: 2031-02-03\n---\n",
    "b.md": "---\nverified: {by: 'human:ann'}\n---\n",
    "c.md": "---\nstale: yes\n---\n",
  };

  it("gives status, stale and trust_tier their meaning", async () => {
    let now = new Date(2031, 1, 2, 23, 59);
    const { paths, page } = open(files, { now: () => now });
    expect(await paths({ filters: { status: "stable" } })).toEqual(["b.md", "c.md", "index.md"]);
    expect(await paths({ filters: { trust_tier: "human-reviewed" } })).toEqual(["b.md"]);
    expect(await paths({ filters: { stale: "true" } })).toEqual([]);
    now = new Date(2031, 1, 3, 0, 0);
    expect(await paths({ filters: { stale: true } })).toEqual(["a.md"]);
    expect((await page()).documents.map(({ okf }) => okf?.stale)).toEqual([true, false, false, false]);
    expect((await page({ filters: { status: "drfat" } })).hints).toEqual([
      { kind: "value", key: "status", name: "drfat", nearest: ["draft", "stable"], complete: true },
    ]);
  });

  it("leaves them plain keys elsewhere", async () => {
    const { paths, page } = open(files, { okf: "off" });
    expect(await paths({ filters: { stale: "yes" } })).toEqual(["c.md"]);
    expect(await paths({ filters: { status: "stable" } })).toEqual([]);
    expect((await page()).documents.every(({ okf }) => okf === undefined)).toBe(true);
    expect(await open({ "a.md": "" }, { okf: "on" }).paths({ filters: { status: "stable" } })).toEqual([
      "a.md",
    ]);
  });

  it("begins and ends with the root's word", async () => {
    const { page, index, vault } = open({ "a.md": "" });
    expect((await page()).documents[0]?.okf).toBeUndefined();
    vault.write("index.md", "---\nokf_version: 1\n---\n");
    await index.settle(10_000, signal);
    expect((await page()).documents[0]?.okf).toEqual({
      status: "stable",
      stale: false,
      trustTier: "unverified",
    });
  });
});

describe("waiting for the disk", () => {
  it("takes in edits, additions and deletions, also of the same size and time", async () => {
    const { paths, index, vault } = open({
      "a.md": "---\nv: 1\n---\n",
      "b.md": "",
      "s/c.md": "",
      "s/d.md": "",
    });
    expect(await paths({ filters: { v: 1 } })).toEqual(["a.md"]);
    const { atime, mtime } = statSync(`${vault.root}/a.md`);
    writeFileSync(`${vault.root}/a.md`, "---\nv: 2\n---\n");
    utimesSync(`${vault.root}/a.md`, atime, mtime);
    vault.remove("b.md");
    renameSync(`${vault.root}/s`, `${vault.root}/t`);
    vault.write("u/e.md", "");
    expect(await index.settle(10_000, signal)).toBe(true);
    expect(await paths()).toEqual(["a.md", "t/c.md", "t/d.md", "u/e.md"]);
    expect(await paths({ filters: { v: 2 } })).toEqual(["a.md"]);
  });

  it("answers with what there is when the time is over", async () => {
    const files = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`n${index}.md`, "x"]));
    const { index, query } = open(files);
    const progress = await index.ready(0, signal);
    expect(progress).toMatchObject({ state: "building", stale: true });
    const request = { query: query(), after: undefined, walk: undefined, limit: 10 };
    expect((await index.list(request)).total).toBeLessThan(3_000);
    expect(await index.ready(20_000, signal)).toMatchObject({ state: "ready", indexed: 3_000, found: 3_000 });
    expect((await index.list(request)).total).toBe(3_000);
  });

  it("stops waiting when the caller does", async () => {
    const files = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`n${index}.md`, "x"]));
    const { index } = open(files);
    await expect(index.settle(20_000, AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
  });

  it("says that the vault is gone, keeps what it knows, and goes on when it is back", async () => {
    const { paths, index, vault } = open({ "a.md": "" });
    expect(await paths()).toEqual(["a.md"]);
    renameSync(vault.root, `${vault.root}-away`);
    await expect(index.settle(10_000, signal)).rejects.toMatchObject({ code: "VAULT_UNREADABLE" });
    await expect(paths()).rejects.toMatchObject({ code: "VAULT_UNREADABLE" });
    renameSync(`${vault.root}-away`, vault.root);
    expect(await paths()).toEqual(["a.md"]);
  });
});

describe.each<[string, IndexSetup]>([
  ["by chokidar", { watch: "auto" }],
  ["each folder by itself", { watch: "auto", mostByChokidar: 0 }],
  ["by looking again and again", { watch: "poll" }],
])("watching %s", (_how, setup) => {
  /** Waits for the changes that make the list what is expected; the test's time limit is the only one. */
  async function until(opened: OpenedIndex, expected: string[], args = {}): Promise<void> {
    let wake = () => {};
    const stop = opened.index.subscribe(() => wake());
    for (;;) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const paths = await opened.paths(args);
      if (JSON.stringify(paths) === JSON.stringify(expected)) break;
      await woken;
    }
    stop();
  }

  it("sees edits, new notes, deletions and renames, also in folders that came later", async () => {
    const opened = open({ "a.md": "---\nv: old\n---\n", "b.md": "x", "f/c.md": "y" }, setup);
    const { vault } = opened;
    await until(opened, ["a.md", "b.md", "f/c.md"]);
    writeFileSync(`${vault.root}/a.md`, "---\nv: new\n---\n");
    await until(opened, ["a.md"], { filters: { v: "new" } });
    await until(opened, [], { filters: { v: "old" } });
    vault.remove("b.md");
    await until(opened, ["a.md", "f/c.md"]);
    renameSync(`${vault.root}/f`, `${vault.root}/g`);
    await until(opened, ["a.md", "g/c.md"]);
    vault.write("deep/er/n.md", "");
    await until(opened, ["a.md", "deep/er/n.md", "g/c.md"]);
    vault.write("deep/er/o.md", "");
    await until(opened, ["a.md", "deep/er/n.md", "deep/er/o.md", "g/c.md"]);
  });

  it("sees a note in a folder that was removed and made again", async () => {
    const opened = open({ "a.md": "" }, setup);
    await until(opened, ["a.md"]);
    mkdirSync(`${opened.vault.root}/s`);
    rmSync(`${opened.vault.root}/s`, { recursive: true });
    opened.vault.write("s/f.md", "");
    await until(opened, ["a.md", "s/f.md"]);
  });

  it("takes a burst of many as few changes", async () => {
    const opened = open({ "a.md": "" }, setup);
    await until(opened, ["a.md"]);
    let changes = 0;
    opened.index.subscribe(() => {
      changes += 1;
    });
    const names = Array.from({ length: 900 }, (_, index) => `burst/n${String(index).padStart(4, "0")}.md`);
    for (const name of names) opened.vault.write(name, "x");
    await until(opened, ["a.md", ...names]);
    expect(changes).toBeLessThan(100);
  });
});
