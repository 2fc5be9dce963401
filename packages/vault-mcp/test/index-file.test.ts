import { existsSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { openDatabase } from "@mcp-file-servers/sqlite";
import { afterEach, describe, expect, it } from "vitest";
import { type IndexSetup, type OpenedIndex, openIndex } from "./support/open-index.ts";
import { type TemporaryVault, temporaryVault } from "./support/temporary-vault.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});
const signal = new AbortController().signal;

function vaultOf(files: Record<string, string>): TemporaryVault {
  const vault = temporaryVault(files);
  cleanups.push(vault.dispose);
  return vault;
}

function open(vault: TemporaryVault, setup?: IndexSetup): OpenedIndex {
  const opened = openIndex(vault.root, setup);
  cleanups.push(() => opened.index.close());
  return opened;
}

/** Waits for a list; the test's time limit is the only one. */
async function until(opened: OpenedIndex, expected: string[], args = {}): Promise<void> {
  let wake = () => {};
  const stop = opened.index.subscribe(() => wake());
  for (;;) {
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    if (JSON.stringify(await opened.paths(args)) === JSON.stringify(expected)) break;
    await woken;
  }
  stop();
}

const generationOf = ({ connection }: OpenedIndex) => connection.read(({ generation }) => generation);

describe("between runs", () => {
  it("answers at once from the last run, marked as stale, and reads only what changed", async () => {
    const vault = vaultOf({ "a.md": "one", "b.md": "---\nv: old\n---\n", "gone.md": "" });
    for (const name of ["a.md", "b.md", "gone.md"]) {
      const past = new Date(Date.now() - 60_000);
      utimesSync(`${vault.root}/${name}`, past, past);
    }
    const first = openIndex(vault.root, { now: () => new Date(Date.now() + 60_000) });
    expect(await first.paths()).toEqual(["a.md", "b.md", "gone.md"]);
    const before = (await first.page()).documents.map(({ document }) => document.changedIn);
    await first.index.close();

    vault.write("b.md", "---\nv: new\n---\n");
    vault.remove("gone.md");
    vault.write("c.md", "");
    const second = open(vault);
    const early = await second.index.ready(20_000, signal);
    expect(early.state).toBe("ready");
    expect(await second.index.settle(20_000, signal)).toBe(true);
    expect(await second.index.ready(20_000, signal)).toMatchObject({ state: "ready", stale: false });
    expect(await second.paths()).toEqual(["a.md", "b.md", "c.md"]);
    expect(await second.paths({ filters: { v: "new" } })).toEqual(["b.md"]);
    const [a] = (await second.page()).documents;
    expect(a?.document.changedIn).toBe(before[0]);
  });

  it("takes an index of other rules, of another vault or format for none", async () => {
    const vault = vaultOf({ "a.md": "", "hidden/b.md": "" });
    const first = openIndex(vault.root);
    expect(await first.paths()).toEqual(["a.md", "hidden/b.md"]);
    await first.index.close();
    const other = openIndex(vault.root, { rules: { exclude: ["hidden"] } });
    expect(await other.paths()).toEqual(["a.md"]);
    await other.index.close();

    const database = await openDatabase(other.file, { synchronous: "NORMAL" });
    await database.write(({ run }) => run("UPDATE meta SET value = 'older' WHERE name = 'fingerprint'"));
    database.close();
    expect(await open(vault).paths()).toEqual(["a.md", "hidden/b.md"]);
  });

  it.each([
    ["garbage", (file: string) => writeFileSync(file, "this is no database".repeat(1_000))],
    ["nothing", (file: string) => writeFileSync(file, "")],
    ["half a file", (file: string) => writeFileSync(file, Buffer.alloc(5_000, 7))],
  ])("makes the index again where %s is in its place", async (_what, spoil) => {
    const vault = vaultOf({ "a.md": "x" });
    const first = openIndex(vault.root);
    await first.paths();
    await first.index.close();
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${first.file}${suffix}`, { force: true });
    spoil(first.file);
    expect(await open(vault).paths()).toEqual(["a.md"]);
  });
});

describe("while it is served", () => {
  it("makes the index again when pages of it are damaged", async () => {
    const names = Array.from({ length: 400 }, (_, index) => `n${index}.md`);
    const vault = vaultOf(
      Object.fromEntries(names.map((name) => [name, `# ${name}\n${"word ".repeat(200)}`])),
    );
    const first = openIndex(vault.root);
    expect((await first.paths()).length).toBe(400);
    await first.index.close();
    const database = await openDatabase(first.file, { synchronous: "NORMAL" });
    await database.write(({ exec }) => {
      // The documents are then looked for in the pages of something else.
      exec("PRAGMA writable_schema = ON");
      exec(
        "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'tag_name') WHERE name = 'content'",
      );
    });
    database.close();
    const second = open(vault);
    await second.index.ready(20_000, signal);
    await until(second, [...names].sort());
    expect(second.warnings.some((one) => one.includes("made again"))).toBe(true);
  });

  it("makes it again when somebody deletes it", async () => {
    const vault = vaultOf({ "a.md": "" });
    const opened = open(vault);
    await until(opened, ["a.md"]);
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${opened.file}${suffix}`, { force: true });
    const again = new Promise<void>((resolve) => opened.index.subscribe(() => resolve()));
    await again;
    await until(opened, ["a.md"]);
    expect(existsSync(opened.file)).toBe(true);
  });

  it("keeps a date to come and a clock that jumps from hiding a change", async () => {
    const vault = vaultOf({ "a.md": "---\nv: 1\n---\n" });
    let now = new Date("2001-01-01");
    const opened = open(vault, { now: () => now });
    expect(await opened.paths({ filters: { v: 1 } })).toEqual(["a.md"]);
    for (const [v, year] of [
      [2, 2040],
      [3, 1999],
      [4, 2031],
    ] as const) {
      now = new Date(`${year}-01-01`);
      vault.write("a.md", `---\nv: ${v}\n---\n`);
      utimesSync(`${vault.root}/a.md`, now, now);
      expect(await opened.index.settle(20_000, signal)).toBe(true);
      expect(await opened.paths({ filters: { v } })).toEqual(["a.md"]);
    }
  });

  it("takes a checkout that replaces thousands of files as few changes", async () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `d${index % 50}/n${index}.md`);
    const vault = vaultOf(Object.fromEntries(names.map((name) => [name, "---\nv: 1\n---\n"])));
    const opened = open(vault, { watch: "auto" });
    expect((await opened.page({ filters: { v: 1 } })).total).toBe(5_000);
    let changes = 0;
    opened.index.subscribe(() => {
      changes += 1;
    });
    for (const name of names) {
      vault.remove(name);
      vault.write(name, "---\nv: 2\n---\n");
    }
    for (;;) {
      expect(await opened.index.settle(20_000, signal)).toBe(true);
      if ((await opened.page({ filters: { v: 2 } })).total === 5_000) break;
    }
    expect(changes).toBeLessThan(200);
  });
});

describe("several on one vault", () => {
  it("the second sees what the first finds, and what it takes in itself the first sees", async () => {
    const vault = vaultOf({ "a.md": "" });
    const leader = open(vault, { watch: "auto" });
    await until(leader, ["a.md"]);
    const other = open(vault, { watch: "auto" });
    await until(other, ["a.md"]);
    expect(other.index.health().watcher).toBe("shared");
    vault.write("b.md", "");
    await until(other, ["a.md", "b.md"]);
    vault.write("c.md", "");
    expect(await other.index.refresh(["c.md"], 20_000, signal)).toBe(true);
    await until(leader, ["a.md", "b.md", "c.md"]);
    expect(await other.index.settle(20_000, signal)).toBe(true);
    expect(await generationOf(other)).toBe(await generationOf(leader));
  });

  it("the next leads when the first ends", async () => {
    const vault = vaultOf({ "a.md": "" });
    const first = openIndex(vault.root, { watch: "auto" });
    await until(first, ["a.md"]);
    const second = open(vault, { watch: "auto" });
    await until(second, ["a.md"]);
    await first.index.close();
    vault.write("b.md", "");
    await until(second, ["a.md", "b.md"]);
    vault.remove("a.md");
    await until(second, ["b.md"]);
    expect(second.index.health().watcher).toBe("chokidar");
  });
});
