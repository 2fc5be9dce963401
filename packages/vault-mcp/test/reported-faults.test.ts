import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type AnyAnswer, openTools } from "./support/open-tools.ts";
import { temporaryVault } from "./support/temporary-vault.ts";

/** Faults that people reported of servers like this one, in what reads: each with an arrangement that shows it. */
describe("faults that people reported", () => {
  const cleanUps: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  });

  function vaultOf(files: Record<string, string>) {
    const vault = temporaryVault(files);
    const tools = openTools(vault.root);
    cleanUps.push(async () => {
      await tools.close();
      vault.dispose();
    });
    return { vault, ...tools };
  }

  const paths = ({ entries }: AnyAnswer): string[] => entries.map(({ path }: { path: string }) => path);

  it("code in frontmatter is never run, and the note is found", async () => {
    const { call } = vaultOf({ "a.md": "---js\n{a: (globalThis.__mark = 1)}\n---\nx marks" });
    expect(paths(await call("list_documents"))).toEqual(["a.md"]);
    expect(paths(await call("search_documents", { query: "marks" }))).toEqual(["a.md"]);
    expect(await call("list_properties")).toMatchObject({ entries: [] });
    expect(globalThis).not.toHaveProperty("__mark");
  });

  it("empty and null tags are none", async () => {
    const { call } = vaultOf({
      "a.md": "---\ntags:\n---\n",
      "b.md": "---\ntags:\n  -\n---\n",
      "c.md": "#real",
    });
    expect((await call("list_tags")).entries).toEqual([{ tag: "real", notes: 1, own: 1 }]);
  });

  it("a single word and a list are the same tag", async () => {
    const { call } = vaultOf({
      "a.md": "---\ntags: work\n---\nhere",
      "b.md": "---\ntags: [work]\n---\nhere",
    });
    expect(paths(await call("search_documents", { query: "here", tags: ["work"] }))).toEqual([
      "a.md",
      "b.md",
    ]);
    expect((await call("list_tags")).entries).toEqual([{ tag: "work", notes: 2, own: 2 }]);
  });

  it("colours and comments in code are no tags; digits alone neither", async () => {
    const { call } = vaultOf({
      "a.md": "```css\ncolor: #0033cc\n#export\n```\n`#no` #yes",
      "b.md": "#1984 #1984book #2031-goals #y1984",
    });
    const { entries } = await call("list_tags", { sort: "name" });
    expect(entries.map(({ tag }: { tag: string }) => tag)).toEqual([
      "1984book",
      "2031-goals",
      "y1984",
      "yes",
    ]);
  });

  it("a bare wikilink is resolved in the whole vault", async () => {
    const { call } = vaultOf({ "notes/Deep.md": "", "journal/d.md": "[[Deep]]" });
    expect(await call("check_links", { kind: "broken" })).toMatchObject({ total: 0 });
    expect(await call("get_links", { path: "notes/Deep.md" })).toMatchObject({
      entries: [{ direction: "backlink", source: "journal/d.md" }],
    });
  });

  it("an ambiguous name is reported with its candidates", async () => {
    const { call } = vaultOf({ "x/README.md": "", "y/README.md": "", "s.md": "[[README]]" });
    expect((await call("check_links", { kind: "ambiguous" })).entries).toMatchObject([
      { path: "s.md", link: { target: "x/README.md", candidates: ["x/README.md", "y/README.md"] } },
    ]);
  });

  it("an escaped pipe in a table, another case and an encoded target resolve", async () => {
    const { call } = vaultOf({
      "notes/foo.md": "",
      "Log.md": "",
      "b[1].md": "",
      "s.md":
        "| [[notes/foo\\|Foo]] | x |\n| - | - |\n\n[[log]] [[LOG]] [[Log.MD]]\n\n[t](b%5B1%5D.md) [u](<b[1].md>)",
    });
    expect(await call("check_links", { kind: "broken" })).toMatchObject({ total: 0 });
    expect(await call("get_links", { path: "notes/foo.md" })).toMatchObject({ backlinks: 1 });
    expect(await call("get_links", { path: "Log.md" })).toMatchObject({ backlinks: 3 });
    expect(await call("get_links", { path: "b[1].md" })).toMatchObject({ backlinks: 2 });
  });

  it("aliases resolve last, the same for every tool", async () => {
    const { call } = vaultOf({ "n.md": "---\naliases: [AL]\n---\n", "s.md": "[[AL]]" });
    expect(await call("get_links", { path: "n.md" })).toMatchObject({ backlinks: 1 });
    expect(await call("check_links", { kind: "broken" })).toMatchObject({ total: 0 });
  });

  it("a hyphenated term finds its note", async () => {
    const { call } = vaultOf({ "a.md": "File-back ingest", "b.md": "back to the file" });
    expect(paths(await call("search_documents", { query: "file-back ingest" }))).toEqual(["a.md"]);
  });

  it.each([
    "*",
    '"',
    "a AND",
    "NEAR(",
    "col:x",
    "(a+)+$",
    "-",
    "'); DROP TABLE search",
    "\\",
    "^",
    "{}",
    "a*b*",
    "\u0000x",
  ])("%j is text, never a syntax error", async (query) => {
    const { call } = vaultOf({ "a.md": `${"a".repeat(28)}!` });
    expect(await call("search_documents", { query })).toHaveProperty("total");
    expect(await call("search_documents", { query, match: "literal" })).toHaveProperty("total");
  });

  it("a snippet never cuts a character", async () => {
    const { call } = vaultOf({ "a.md": `${"🛠️".repeat(200)} key ${"🛠️".repeat(200)}` });
    for (const snippet_chars of [50, 51, 52, 53, 301]) {
      const { entries } = await call("search_documents", { query: "key", snippet_chars });
      expect(entries[0].sections[0].snippet.isWellFormed()).toBe(true);
      expect(entries[0].sections[0].snippet).toContain("<mark>key</mark>");
    }
  });

  it("a word of all notes gives a bounded answer that says how many there are", async () => {
    const notes = Array.from({ length: 300 }, (_, index) => [`n${index}.md`, "common word"]);
    const { call } = vaultOf(Object.fromEntries(notes));
    const answer = await call("search_documents", { query: "common", limit: 50 });
    expect(answer).toMatchObject({ total: 200, more: true });
    expect(answer.entries).toHaveLength(50);
    expect(answer.note).toContain("best 200");
  });

  it("an empty folder is in its parent, with and without a slash", async () => {
    const { vault, call } = vaultOf({ "p/a.md": "" });
    mkdirSync(join(vault.root, "p/e"));
    for (const folder of ["p", "p/", "/p", "p\\"]) {
      expect(paths(await call("list_folders", { folder }))).toEqual(["p", "p/e"]);
    }
    expect(await call("list_documents", { folder: "p/e" })).toMatchObject({ total: 0, note: undefined });
  });

  it("notes without a byte do not end the search", async () => {
    const { call } = vaultOf({ "a.md": "", "b.md": "x", "c.md": "" });
    expect(paths(await call("search_documents", { query: "x" }))).toEqual(["b.md"]);
    expect(await call("get_status")).toMatchObject({ vault: { notes: 3 } });
  });

  it("hidden files are hidden from every tool", async () => {
    const { call } = vaultOf({
      ".obsidian/x.md": "#hid secret [[y]]",
      "a/.git/y.md": "#hid secret",
      "node_modules/z.md": "secret",
      "v.md": "seen",
    });
    expect(await call("search_documents", { query: "secret" })).toMatchObject({ total: 0 });
    expect(await call("search_documents", { query: "secret", match: "literal" })).toMatchObject({ total: 0 });
    expect(paths(await call("list_documents"))).toEqual(["v.md"]);
    expect(paths(await call("list_documents", { pattern: "**/*.md" }))).toEqual(["v.md"]);
    expect(await call("list_documents", { pattern: "**/.git/**" })).toMatchObject({ total: 0 });
    expect(await call("list_tags")).toMatchObject({ total: 0 });
    expect(await call("check_links", { kind: "broken" })).toMatchObject({ total: 0 });
    expect(paths(await call("list_folders"))).toEqual(["", "a"]);
    await expect(call("get_links", { path: ".obsidian/x.md" })).rejects.toMatchObject({
      code: "PATH_HIDDEN",
    });
  });

  it("what is edited and deleted outside is seen", async () => {
    const { vault, call } = vaultOf({ "a.md": "old words", "b.md": "old too" });
    expect(await call("search_documents", { query: "old" })).toMatchObject({ total: 2 });
    vault.write("a.md", "brand new words");
    vault.remove("b.md");
    await call("list_documents", { wait_for_pending_writes: true });
    expect(paths(await call("search_documents", { query: "brand" }))).toEqual(["a.md"]);
    expect(await call("search_documents", { query: "old" })).toMatchObject({ total: 0 });
    expect(await call("search_documents", { query: "old", match: "literal" })).toMatchObject({ total: 0 });
  });

  it("a note that cannot be parsed is found, and said to be broken", async () => {
    const { call } = vaultOf({ "a.md": '---\nt: "open\n---\nbody text' });
    expect(paths(await call("search_documents", { query: "body" }))).toEqual(["a.md"]);
    expect(await call("get_status")).toMatchObject({
      broken_total: 1,
      broken_notes: [{ path: "a.md", message: expect.any(String) }],
    });
  });

  it("a section is read with its subsections, and what replaces it leaves the others alone", async () => {
    const { vault, call } = vaultOf({ "a.md": "## A\na\n### A1\nx\n## B\nb\n" });
    const { data } = await call("read_document", { path: "a.md", section: "A" });
    expect(data.content).toBe("## A\na\n### A1\nx\n");
    const edits = [{ old_text: data.content, new_text: "## A\nnew\n## C\nc\n" }];
    await call("edit_document", { path: "a.md", edits });
    expect(readFileSync(join(vault.root, "a.md"), "utf8")).toBe("## A\nnew\n## C\nc\n## B\nb\n");
  });

  it("one filter language for listing and search", async () => {
    const { call } = vaultOf({
      "a.md": "---\nn: 5\nlist: [x, y]\n---\nword",
      "b.md": "---\nn: 7\n---\nword",
      "c.md": "word",
    });
    for (const filters of [
      { n: "5" },
      { n: { gt: 5 } },
      { list: ["x", "y"] },
      { n: { exists: false } },
      { n: { ne: 5 } },
    ]) {
      const listed = paths(await call("list_documents", { filters }));
      expect(
        paths(await call("search_documents", { query: "word", filters })).sort(),
        JSON.stringify(filters),
      ).toEqual(listed);
      expect(listed.length).toBeGreaterThan(0);
    }
    expect((await call("search_documents", { query: "word", filters: { nn: 5 } })).note).toContain(
      "no note has the key".replace("no", "No"),
    );
  });
});
