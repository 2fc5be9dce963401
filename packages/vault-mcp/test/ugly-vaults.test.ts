import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import type { NoteDocument } from "../src/domain/document.ts";
import { type IndexSetup, type OpenedIndex, openIndex } from "./support/open-index.ts";
import { type TemporaryVault, temporaryVault } from "./support/temporary-vault.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function open(
  files: Record<string, string>,
  setup?: IndexSetup,
): OpenedIndex & { readonly vault: TemporaryVault } {
  const vault = temporaryVault(files);
  cleanups.push(vault.dispose);
  const opened = openIndex(vault.root, setup);
  cleanups.push(() => opened.index.close());
  return { ...opened, vault };
}

async function notes(opened: OpenedIndex): Promise<Map<string, NoteDocument>> {
  const { documents } = await opened.page();
  return new Map(
    documents.flatMap(({ document }) => (document.kind === "note" ? [[document.path, document]] : [])),
  );
}

const count = ({ connection }: OpenedIndex, sql: string, parameters: readonly string[] = []) =>
  connection.read(({ reader }) => reader.get<{ n: number }>(sql, parameters)?.n);

it("takes notes of 20 MB, of many lines and of a single one, with all the others", async () => {
  const line = `${"words and more of them ".repeat(80)}[[link]] #tag, `;
  const opened = open({
    "lines.md": `# Long\n${`${line}\n`.repeat(10_700)}needle`,
    "one line.md": `${line.repeat(10_700)}needle`,
    "brackets.md": "[".repeat(2_000_000),
    "small.md": "x",
  });
  expect(await opened.index.settle(110_000, new AbortController().signal)).toBe(true);
  const found = await notes(opened);
  expect([...found.keys()]).toEqual(["brackets.md", "lines.md", "one line.md", "small.md"]);
  for (const note of found.values()) expect(note.parseError).toBeUndefined();
  expect(found.get("lines.md")).toMatchObject({ title: "Long", tags: ["tag"] });
  expect(await count(opened, "SELECT count(*) AS n FROM search WHERE search MATCH ?", ["needle"])).toBe(2);
}, 120_000);

it("keeps 10,000 tags of a note, and 200 keys", async () => {
  const tags = Array.from({ length: 10_000 }, (_, index) => `t${index}/x`);
  const keys = Array.from({ length: 200 }, (_, index) => `key${index}: value ${index}`);
  const opened = open({
    "tags.md": tags.map((tag) => `#${tag}`).join(" "),
    "keys.md": `---\n${keys.join("\n")}\n---\n`,
  });
  expect(await opened.paths({ tags: ["t9999", "t0/x"] })).toEqual(["tags.md"]);
  expect(await opened.paths({ filters: { key0: "value 0", key199: "VALUE 199" } })).toEqual(["keys.md"]);
  expect((await notes(opened)).get("tags.md")?.tags).toHaveLength(10_000);
});

it("is not blown up by aliases of YAML", async () => {
  const levels = Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]`);
  const opened = open({ "bomb.md": `---\na0: &a0 [x]\n${levels.join("\n")}\n---\nbody #here`, "ok.md": "" });
  const found = await notes(opened);
  expect(found.get("bomb.md")).toMatchObject({ frontmatter: {}, tags: ["here"] });
  expect(found.get("bomb.md")?.parseError?.message).toMatch(/aliases/);
});

it("takes deep and wide frontmatter in a bearable time", async () => {
  const wide = Array.from({ length: 3_000 }, (_, index) => `k${index}: {a: ${index}, b: [1, 2]}`);
  const opened = open({
    "wide.md": `---\n${wide.join("\n")}\n---\n`,
    "deep.md": `---\na: ${"[".repeat(500)}${"]".repeat(500)}\n---\n`,
  });
  expect(await opened.paths({ filters: { "k2999.a": 2_999 } })).toEqual(["wide.md"]);
  expect(await opened.paths()).toEqual(["deep.md", "wide.md"]);
});

it("takes links to itself, and folders that lead to their parents", async () => {
  const opened = open({
    "self.md": "[[self]] [[#part]] ![[self.md]]\n# part",
    "d/e/f.md": "[up](../../self.md)",
  });
  symlinkSync("../..", `${opened.vault.root}/d/e/up`);
  symlinkSync(".", `${opened.vault.root}/here`);
  expect(await opened.paths()).toEqual(["d/e/f.md", "self.md"]);
});

it("takes names of any kind", async () => {
  const names = [
    "100%.md",
    "[x] (y) {z}.md",
    "a'b\"c.md",
    "e\u0301.md",
    "\u00e9.md",
    "line\nbreak.md",
    "🌱.md",
    "ﬁ.md",
    `${"n".repeat(252)}.md`,
    `${"é".repeat(126)}.md`,
    "d/%2e%2e.md",
    "d\u0301/x.md",
  ];
  const opened = open(Object.fromEntries(names.map((name) => [name, `# ${name.length}`])));
  expect(new Set(await opened.paths())).toEqual(new Set(names));
  expect(await opened.paths({ folder: "d\u0301".normalize("NFC") })).toEqual(["d\u0301/x.md"]);
  expect(await opened.paths({ pattern: "[x] (y) {z}.md" })).toEqual(["[x] (y) {z}.md"]);
});

it("keeps bytes that no text has", async () => {
  const opened = open({});
  writeFileSync(`${opened.vault.root}/nul.md`, "---\ntitle: 'a\\0b'\nk: \"x\\0y\"\n---\nbody\0 text #t\0ag");
  writeFileSync(`${opened.vault.root}/half.md`, '---\nk: "\\ud800"\n---\n# \\ud800');
  expect(await opened.paths()).toEqual(["half.md", "nul.md"]);
  expect((await notes(opened)).get("nul.md")?.frontmatter.k).toBe("x\0y");
  expect(await opened.paths({ filters: { k: "x\0y" } })).toEqual(["nul.md"]);
});

it("serves a vault that may not be written, and one that is reached through a link", async () => {
  const opened = open({ "a.md": "", "s/b.md": "" });
  const { root } = opened.vault;
  for (const folder of [`${root}/s`, root]) chmodSync(folder, 0o555);
  cleanups.push(() => [root, `${root}/s`].map((folder) => chmodSync(folder, 0o755)));
  expect(await opened.paths()).toEqual(["a.md", "s/b.md"]);
});

it("finds by its look at everything what nobody told of, and watches anew", async () => {
  let opened = 0;
  const { keeperHere } = await import("./support/keeper-here.ts");
  const index = open(
    { "a.md": "" },
    {
      watch: "auto",
      checkEveryMs: 300,
      startKeeper: keeperHere(
        () => new Date(),
        async () => {
          opened += 1;
          // Watches nothing, and does not say so.
          return {
            watch: { follow: () => {}, end: async () => {} },
            kind: "folders",
            hasFailed: () => false,
          };
        },
      ),
    },
  );
  expect(await index.paths()).toEqual(["a.md"]);
  const changed = new Promise<readonly string[]>((resolve) => {
    index.index.subscribe(({ paths }) => resolve(paths));
  });
  while (index.index.health().watcher !== "folders") await new Promise((resolve) => setImmediate(resolve));
  mkdirSync(`${index.vault.root}/new`);
  index.vault.write("new/b.md", "");
  expect(await changed).toEqual(["new/b.md"]);
  expect(await index.paths()).toEqual(["a.md", "new/b.md"]);
  while (opened < 2) await new Promise((resolve) => setImmediate(resolve));
});

it("keeps the index elsewhere where its folder cannot be written", async () => {
  const opened = open({ "a.md": "" }, { file: "/dev/null/no/index.sqlite" });
  expect(await opened.paths()).toEqual(["a.md"]);
  expect(opened.warnings.join()).toMatch(/temporary/);
});
