import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ConnectedServer, connect } from "@mcp-file-servers/core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TemporaryVault, temporaryVault } from "./support/temporary-vault.ts";

const bin = fileURLToPath(new URL("../dist/main.js", import.meta.url));
let vault: TemporaryVault;
let stateHome: string;
let outside: string;
let servers: ConnectedServer[];

beforeEach(() => {
  vault = temporaryVault();
  stateHome = mkdtempSync(join(tmpdir(), "vault-mcp-state-"));
  outside = mkdtempSync(join(tmpdir(), "vault-mcp-outside-"));
  servers = [];
});

afterEach(async () => {
  for (const server of servers) await server.close();
  vault.dispose();
  for (const folder of [stateHome, outside]) rmSync(folder, { recursive: true, force: true });
});

async function serve(files: Record<string, string | Uint8Array> = {}, args: string[] = []) {
  for (const [path, content] of Object.entries(files)) vault.write(path, content);
  const env = { XDG_STATE_HOME: stateHome, XDG_CACHE_HOME: stateHome };
  const server = await connect({ bin, args: [...args, vault.root], env, node: process.execPath });
  servers.push(server);
  const ok = async (name: string, callArgs: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const { isError, text, data } = await server.call(name, callArgs);
    expect(isError, text).toBe(false);
    return data;
  };
  const refused = async (name: string, callArgs: Record<string, unknown>) => {
    const { isError, text } = await server.call(name, callArgs);
    expect(isError, text).toBe(true);
    return text;
  };
  const paths = async (listArgs: Record<string, unknown> = {}) => {
    const { result } = await ok("list_documents", listArgs);
    return (result as { path: string }[]).map(({ path }) => path);
  };
  return { server, ok, refused, paths };
}

const bytes = (path: string) => readFileSync(join(vault.root, path));
const text = (path: string) => bytes(path).toString("utf8");
const everything = () => readdirSync(vault.root, { recursive: true }).map(String).sort();

describe("set_frontmatter", () => {
  it("changes one line and leaves dates, comments and quotes as they are", async () => {
    const { ok } = await serve({
      "a.md": "---\ndue: 2031-02-03\nowner: ann\n---\nbody\n",
      "b.md": "---\n# keep me\nstatus: open # why\nn: 1\n---\n",
      "c.md": "---\nup: [[Home]]\n---\n",
      "d.md": "---\ntags: [x]\n---\n",
    });
    await ok("set_frontmatter", { path: "a.md", set: { owner: "bob" } });
    expect(text("a.md")).toBe("---\ndue: 2031-02-03\nowner: bob\n---\nbody\n");
    await ok("set_frontmatter", { path: "b.md", remove: ["n"] });
    expect(text("b.md")).toBe("---\n# keep me\nstatus: open # why\n---\n");
    await ok("set_frontmatter", { path: "c.md", set: { k: "v" } });
    expect(text("c.md")).toBe("---\nup: [[Home]]\nk: v\n---\n");
    await ok("set_frontmatter", { path: "d.md", set: { tags: ["a/b", "c"] } });
    expect((await ok("read_document", { path: "d.md" })).frontmatter).toEqual({ tags: ["a/b", "c"] });
  });

  it("keeps a byte order mark and CRLF", async () => {
    const { ok } = await serve({ "a.md": "\ufeff---\r\na: 1\r\n---\r\nx\r\n" });
    expect((await ok("read_document", { path: "a.md" })).frontmatter).toEqual({ a: 1 });
    await ok("set_frontmatter", { path: "a.md", set: { a: 2 } });
    expect(bytes("a.md").subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(text("a.md")).toBe("\ufeff---\r\na: 2\r\n---\r\nx\r\n");
  });

  it("refuses broken frontmatter, names the problem and changes nothing", async () => {
    const broken = { "a.md": '---\na: "open\nkeep: 1\n---\nBody\n', "b.md": "---\nname: a: b\n---\nbody" };
    const { refused, server } = await serve(broken);
    expect(await refused("set_frontmatter", { path: "a.md", remove: ["a"] })).toMatch(
      /^FRONTMATTER_BROKEN: .*line \d/,
    );
    expect(await refused("set_frontmatter", { path: "b.md", set: { status: "done" } })).toMatch(
      /^FRONTMATTER_BROKEN/,
    );
    for (const [path, content] of Object.entries(broken)) expect(text(path)).toBe(content);
    const reads = [
      await server.call("read_document", { path: "a.md" }),
      await server.call("read_document", { path: "a.md" }),
    ];
    expect(reads[0]?.data).toEqual(reads[1]?.data);
    expect(reads[0]?.data.parse_error).toMatchObject({ line: expect.any(Number) });
  });

  it("keeps two notes of the same text apart", async () => {
    const same = "---\na: 1\n---\nZ";
    const { ok } = await serve({ "A.md": same, "B.md": same });
    await ok("read_document", { paths: ["A.md", "B.md"] });
    await ok("set_frontmatter", { path: "A.md", set: { extra: 1 } });
    expect((await ok("read_document", { path: "B.md" })).frontmatter).toEqual({ a: 1 });
    expect(text("B.md")).toBe(same);
  });

  it("shows the change and writes nothing in a dry run", async () => {
    const { ok } = await serve({ "a.md": "x\n" });
    const { changed, diff } = await ok("set_frontmatter", {
      path: "a.md",
      set: { k: [1, "1"] },
      dry_run: true,
    });
    expect(changed).toBe(false);
    expect(diff).toContain('+---\n+k:\n+  - 1\n+  - "1"\n+---\n x\n');
    expect(text("a.md")).toBe("x\n");
  });
});

describe("write_document", () => {
  it("writes frontmatter that reads back, also when it came as text", async () => {
    const { ok } = await serve();
    await ok("write_document", { path: "a.md", content: "x", frontmatter: { title: "Part 1: start" } });
    expect((await ok("read_document", { path: "a.md" })).frontmatter).toEqual({ title: "Part 1: start" });
    await ok("write_document", { path: "b.md", content: "x", frontmatter: '{"a":1}' });
    expect(text("b.md")).toBe("---\na: 1\n---\nx");
  });

  it("leaves a note as it was when what was read is written back", async () => {
    const note = "\ufeff---\r\nk: 'v' # c\r\n---\r\n\r\nBody\u00a0\r\n";
    const { ok } = await serve({ "a.md": note, "b.md": "---\nSome text" });
    for (const path of ["a.md", "b.md"]) {
      const { content, etag } = await ok("read_document", { path });
      await ok("write_document", { path, content, if_match: etag });
    }
    expect(text("a.md")).toBe(note);
    expect(text("b.md")).toBe("---\nSome text");
  });

  it("writes shorter, longer and appended contents to the byte", async () => {
    const { ok } = await serve();
    let { etag } = await ok("write_document", { path: "a.md", content: `${"a".repeat(99)}\n` });
    for (const size of [10, 1000]) {
      ({ etag } = await ok("write_document", {
        path: "a.md",
        content: `${"b".repeat(size - 1)}\n`,
        if_match: etag,
      }));
      expect(statSync(join(vault.root, "a.md")).size).toBe(size);
    }
    await ok("append_to_document", { path: "a.md", content: "cccc\n" });
    expect(statSync(join(vault.root, "a.md")).size).toBe(1005);
    expect(bytes("a.md").includes(0)).toBe(false);
  });

  it("asks for the etag of a whole read", async () => {
    const { ok, refused } = await serve({ "a.md": `# A\n${"line\n".repeat(20_000)}` });
    expect(await refused("write_document", { path: "a.md", content: "x" })).toMatch(/^ETAG_REQUIRED/);
    const part = await ok("read_document", { path: "a.md", start_line: 1, end_line: 2 });
    expect(await refused("write_document", { path: "a.md", content: "x", if_match: part.etag })).toMatch(
      /^READ_INCOMPLETE/,
    );
    const edited = await ok("append_to_document", { path: "a.md", content: "end" });
    expect(await refused("write_document", { path: "a.md", content: "x", if_match: edited.etag })).toMatch(
      /^READ_INCOMPLETE/,
    );
    let page = await ok("read_document", { path: "a.md" });
    expect(await refused("write_document", { path: "a.md", content: "x", if_match: page.etag })).toMatch(
      /^READ_INCOMPLETE/,
    );
    while (page.next_cursor !== null)
      page = await ok("read_document", { path: "a.md", cursor: page.next_cursor });
    const written = await ok("write_document", { path: "a.md", content: "x", if_match: page.etag });
    expect(text("a.md")).toBe("x");
    expect(written.replaced_version).toEqual(expect.any(String));
  });

  it("refuses what changed on the disk, and keeps that", async () => {
    const { ok, refused } = await serve({ "a.md": "one" });
    const { etag } = await ok("read_document", { path: "a.md" });
    vault.write("a.md", "two");
    expect(await refused("write_document", { path: "a.md", content: "mine", if_match: etag })).toMatch(
      /^ETAG_MISMATCH/,
    );
    expect(text("a.md")).toBe("two");
  });

  it("says that frontmatter is gone", async () => {
    const { ok } = await serve({ "a.md": "---\na: 1\n---\nx" });
    const { etag } = await ok("read_document", { path: "a.md" });
    const { note } = await ok("write_document", { path: "a.md", content: "x", if_match: etag });
    expect(note).toContain("frontmatter");
  });

  it("writes attachments from Base64 and text, and no other kinds", async () => {
    const { ok, refused } = await serve();
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    await ok("write_document", { path: "img/p.png", data_base64: png.toString("base64") });
    expect(bytes("img/p.png")).toEqual(png);
    expect(
      await refused("edit_document", { path: "img/p.png", edits: [{ old_text: "P", new_text: "Q" }] }),
    ).toMatch(/^NOT_TEXT/);
    expect(bytes("img/p.png")).toEqual(png);
    await ok("write_document", { path: "b.canvas", content: '{"nodes":[]}' });
    expect((await ok("read_document", { path: "b.canvas" })).content).toBe('{"nodes":[]}');
    expect(await refused("write_document", { path: "x.exe", content: "x" })).toMatch(
      /^KIND_NOT_SERVED.*canvas/,
    );
    expect(await refused("write_document", { path: "a.png", data_base64: "not base64!" })).toMatch(
      /^INVALID_ARGUMENT: data_base64/,
    );
    expect(await refused("write_document", { path: "a.md", data_base64: "AAAA" })).toMatch(
      /^INVALID_ARGUMENT: data_base64/,
    );
    expect(await refused("write_document", { path: "a.md" })).toMatch(/^INVALID_ARGUMENT: content/);
    expect(
      await refused("write_document", { path: "a.md", content: "---\na: 1\n---\n", frontmatter: { b: 1 } }),
    ).toMatch(/^INVALID_ARGUMENT: content/);
    expect(everything()).toEqual(["b.canvas", "img", "img/p.png"]);
  });

  it("refuses names that a system or a link cannot hold, and no other note is touched", async () => {
    const { refused } = await serve({ "x.md": "x" });
    for (const path of [
      "a: b?.md",
      "CON.md",
      "x.",
      "x..md ",
      `${"n".repeat(300)}.md`,
      "a#b.md",
      "b[1].md",
      "a|b.md",
      "dir./a.md",
    ]) {
      expect(await refused("write_document", { path, content: "y" }), path).toMatch(
        /^(NAME_NOT_ALLOWED|KIND_NOT_SERVED)/,
      );
    }
    expect(everything()).toEqual(["x.md"]);
  });

  it("names the relative form of a path from a root", async () => {
    const { refused } = await serve();
    for (const path of ["/Folder/a.md", join(vault.root, "Folder/a.md")]) {
      expect(await refused("write_document", { path, content: "x" })).toMatch(
        /^INVALID_ARGUMENT: path: .*\nNext: .*"Folder\/a\.md"/,
      );
    }
    expect(everything()).toEqual([]);
  });

  it("writes nothing outside the vault or into what is hidden, by any route", async () => {
    writeFileSync(join(outside, "s.md"), "secret");
    const { refused } = await serve({ ".obsidian/app.json": "{}", ".trash/t.md": "t" });
    symlinkSync(outside, join(vault.root, "out"));
    symlinkSync(join(outside, "s.md"), join(vault.root, "l.md"));
    symlinkSync(join(outside, "new.md"), join(vault.root, "dangling.md"));
    symlinkSync(join(vault.root, ".obsidian"), join(vault.root, "settings"));
    const before = everything();
    const writes = (path: string): [string, Record<string, unknown>][] => [
      ["write_document", { path, content: "x", if_match: "0123456789abcdef" }],
      ["write_document", { path, content: "x" }],
      ["edit_document", { path, edits: [{ old_text: "s", new_text: "S" }] }],
      ["append_to_document", { path, content: "x", create_if_missing: true }],
      ["set_frontmatter", { path, set: { a: 1 } }],
      ["delete_document", { path }],
      ["restore_document", { path }],
    ];
    const routes = [
      "../x.md",
      "a/../../x.md",
      "..\\x.md",
      "out/x.md",
      "out/s.md",
      "l.md",
      "dangling.md",
      ".obsidian/app.json",
      ".OBSIDIAN/x.md",
      "settings/app.json",
      "settings/x.md",
      ".trash/t.md",
      "a/.git/x.md",
      ".x.md",
      "node_modules/x.md",
    ];
    for (const path of routes) {
      for (const [tool, args] of writes(path)) {
        expect(await refused(tool, args), `${tool} ${path}`).toMatch(
          /^(PATH_OUTSIDE_VAULT|PATH_HIDDEN|NOT_FOUND|VERSION_NOT_FOUND|ALREADY_EXISTS)/,
        );
      }
    }
    expect(everything()).toEqual(before);
    expect(readdirSync(outside)).toEqual(["s.md"]);
    expect(readFileSync(join(outside, "s.md"), "utf8")).toBe("secret");
    expect(text(".obsidian/app.json") + text(".trash/t.md")).toBe("{}t");
  });
});

describe("edit_document", () => {
  it("keeps literal text, CRLF and the readable frontmatter", async () => {
    const { ok, refused } = await serve({
      "a.md": "price: X",
      "b.md": "a\r\nb\r\nc\r\n",
      "c.md": "---\nproject: Q3 plan\n---\nQ3 plan notes",
      "d.md": "- a\n",
    });
    await ok("edit_document", { path: "a.md", edits: [{ old_text: "X", new_text: "$$100 $& $1" }] });
    expect(text("a.md")).toBe("price: $$100 $& $1");
    const { diff } = await ok("edit_document", {
      path: "b.md",
      edits: [{ old_text: "a\nb", new_text: "A\nB" }],
    });
    expect(text("b.md")).toBe("A\r\nB\r\nc\r\n");
    expect(diff).toContain("-a\r\n-b\r\n+A\r\n+B\r\n c\r\n");
    const edits = [{ old_text: "Q3 plan", new_text: "Q3: plan", replace_all: true }];
    expect(await refused("edit_document", { path: "c.md", edits })).toMatch(/^FRONTMATTER_BROKEN/);
    expect(text("c.md")).toBe("---\nproject: Q3 plan\n---\nQ3 plan notes");
    await ok("edit_document", { path: "d.md", edits: [{ old_text: "- a", new_text: "- b" }] });
    await ok("edit_document", { path: "d.md", edits: [{ old_text: "- b", new_text: "" }] });
    expect(text("d.md")).toBe("\n");
    expect(await refused("edit_document", { path: "d.md", edits: [{ old_text: "x" }] })).toContain(
      "new_text: is missing",
    );
  });

  it("tells what is nearest to a text that is not there", async () => {
    const { refused } = await serve({ "a.md": "one\nit’s two\n" });
    const message = await refused("edit_document", {
      path: "a.md",
      edits: [{ old_text: "it's two", new_text: "x" }],
    });
    expect(message).toContain(
      'only typography (quotes, dashes, spaces, accents) differs from line 2, "it’s two"',
    );
    expect(message).toContain('after "it" the file has "’" (U+2019) and old_text "\'" (U+0027)');
    const count = await refused("edit_document", { path: "a.md", edits: [{ old_text: "t", new_text: "x" }] });
    expect(count).toMatch(/^EDIT_AMBIGUOUS: .*is 2 times in "a.md", at line 2, 2/);
  });
});

describe("append_to_document", () => {
  it("adds under a heading and nowhere else", async () => {
    const { ok, refused } = await serve({
      "a.md": "# T\n\n## A\na\n\n## B\nb\n",
      "t.md": "| a ^r1 | b |\n",
      "e.md": "## 📝| <b>Notes:</b>\n",
    });
    await ok("append_to_document", { path: "a.md", content: "new", section: "A" });
    expect(text("a.md")).toBe("# T\n\n## A\na\nnew\n\n## B\nb\n");
    expect(await refused("append_to_document", { path: "a.md", content: "x", section: "C" })).toMatch(
      /^SECTION_NOT_FOUND: .*"## A"/,
    );
    await ok("append_to_document", { path: "t.md", content: "| c | d |", section: "^r1" });
    expect(text("t.md")).toBe("| a ^r1 | b |\n| c | d |\n");
    for (const section of ["📝| <b>Notes:</b>", "## 📝| <b>Notes:</b>"]) {
      await ok("append_to_document", { path: "e.md", content: "x", section });
    }
    expect(text("e.md")).toBe("## 📝| <b>Notes:</b>\nx\nx\n");
  });

  it("loses none of twenty at once, from two servers", async () => {
    const [one, two] = [await serve({ "log.md": "start\n" }), await serve()];
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    await Promise.all(
      lines.map((line, index) =>
        (index % 2 === 0 ? one : two).ok("append_to_document", { path: "log.md", content: line }),
      ),
    );
    const found = text("log.md").trimEnd().split("\n");
    expect(found[0]).toBe("start");
    expect(found.slice(1).sort()).toEqual([...lines].sort());
  });

  it("makes the document once, whoever comes first", async () => {
    const { ok, refused } = await serve();
    expect(await refused("append_to_document", { path: "d/new.md", content: "x" })).toMatch(/^NOT_FOUND/);
    const calls = ["a", "b", "c"].map((content) =>
      ok("append_to_document", { path: "d/new.md", content, create_if_missing: true }),
    );
    expect((await Promise.all(calls)).filter(({ created }) => created).length).toBe(1);
    expect(text("d/new.md").split("\n").sort()).toEqual(["a", "b", "c"]);
  });
});

describe("delete_document and restore_document", () => {
  it("moves to the trash and brings back, also older contents", async () => {
    const { ok, refused, paths } = await serve({ "n.md": "one\r\n", "m.md": "m" });
    const first = await ok("edit_document", { path: "n.md", edits: [{ old_text: "one", new_text: "two" }] });
    const older = await ok("read_document", { path: "n.md", version: first.replaced_version });
    expect(older).toMatchObject({ path: "n.md", content: "one\r\n", etag: first.replaced_version });
    expect(await refused("write_document", { path: "n.md", content: "x", if_match: older.etag })).toMatch(
      /^ETAG_MISMATCH/,
    );
    expect(await refused("read_document", { paths: ["n.md"], version: first.replaced_version })).toMatch(
      /^INVALID_ARGUMENT: version/,
    );
    const deleted = await ok("delete_document", { path: "n.md" });
    expect((await ok("read_document", { path: "n.md", version: deleted.version })).content).toBe("two\r\n");
    expect(deleted.trash_path).toBe(".trash/n.md");
    expect(text(".trash/n.md")).toBe("two\r\n");
    expect(await paths()).toEqual(["m.md"]);
    await ok("restore_document", { path: "n.md" });
    expect(text("n.md")).toBe("two\r\n");
    expect(everything()).toEqual([".trash", "m.md", "n.md"]);
    expect(await paths()).toEqual(["m.md", "n.md"]);
    expect(await refused("restore_document", { path: "n.md" })).toMatch(/^ALREADY_EXISTS/);
    const restored = await ok("restore_document", { path: "n.md", version: first.replaced_version });
    expect(text("n.md")).toBe("one\r\n");
    await ok("restore_document", { path: "n.md", version: restored.replaced_version });
    expect(text("n.md")).toBe("two\r\n");
    expect(await refused("restore_document", { path: "n.md", version: "0000000000000000" })).toMatch(
      /^VERSION_NOT_FOUND: .*kept: [0-9a-f]{16} of/,
    );
  });
});

describe("rename_path", () => {
  it("keeps links of every style, and counts what changed on the disk", async () => {
    const { ok, paths } = await serve({
      "in/idea.md": "i",
      "p.md": "[[in/idea]] ![[in/idea]] [l](in/idea.md)\n",
      "b[1].md": "b",
      "q.md": "[t](b%5B1%5D.md) and [u](<b[1].md>)",
      "old.md": "o",
      "r.md": "See [Bra\\]c](old.md)\n```\n[[old]]\n```\n`[[old]]` [[old]]\n",
      "f.md": '---\nup: "[[old]]"\n---\n',
    });
    const first = await ok("rename_path", { path: "in/idea.md", new_path: "out/idea.md" });
    expect(text("p.md")).toBe("[[out/idea]] ![[out/idea]] [l](out/idea.md)\n");
    expect(first).toMatchObject({ renamed: true, links_changed: 3, files_changed: 1 });
    await ok("rename_path", { path: "b[1].md", new_path: "c.md" });
    expect(text("q.md")).toBe("[t](c.md) and [u](<c.md>)");
    const third = await ok("rename_path", { path: "old.md", new_path: "new.md" });
    expect(text("r.md")).toBe("See [Bra\\]c](new.md)\n```\n[[old]]\n```\n`[[old]]` [[new]]\n");
    expect(text("f.md")).toBe('---\nup: "[[new]]"\n---\n');
    expect(third).toMatchObject({ links_changed: 3, files_changed: 2 });
    expect(third.files).toContainEqual({
      path: "f.md",
      links: [{ line: 2, before: "[[old]]", after: "[[new]]" }],
    });
    expect(await paths()).toEqual(["c.md", "f.md", "new.md", "out/idea.md", "p.md", "q.md", "r.md"]);
  });

  it("never moves onto something, and changes case alone", async () => {
    const { ok, refused, paths } = await serve({ "a.md": "A", "b.md": "B", "config.md": "c" });
    expect(await refused("rename_path", { path: "a.md", new_path: "b.md" })).toMatch(/^ALREADY_EXISTS/);
    expect(text("a.md") + text("b.md")).toBe("AB");
    await ok("rename_path", { path: "config.md", new_path: "Config.md" });
    expect(await paths()).toEqual(["Config.md", "a.md", "b.md"]);
  });

  it("shows everything and changes nothing in a dry run, and leaves texts alone on demand", async () => {
    const { ok } = await serve({ "d/a.md": "x", "s.md": "[[d/a]] [a](d/a.md)\n" });
    const before = everything();
    const dry = await ok("rename_path", { path: "d", new_path: "e", dry_run: true });
    expect(dry).toMatchObject({ renamed: false, links_changed: 2, files: [{ path: "s.md" }] });
    expect(dry.diff).toContain("-[[d/a]] [a](d/a.md)\n+[[e/a]] [a](e/a.md)");
    expect(everything()).toEqual(before);
    await ok("rename_path", { path: "d", new_path: "e", update_links: false });
    expect(text("s.md")).toBe("[[d/a]] [a](d/a.md)\n");
    expect(text("e/a.md")).toBe("x");
  });

  it("names the nearest path of one that is not there, and refuses what makes no sense", async () => {
    const { refused } = await serve({ "Folder/Note.md": "x" });
    expect(await refused("rename_path", { path: "Folder/Noe.md", new_path: "x.md" })).toMatch(
      /^NOT_FOUND: .*"Folder\/Note.md"/,
    );
    expect(await refused("rename_path", { path: "Folder", new_path: "Folder/in" })).toMatch(
      /^INVALID_ARGUMENT: new_path/,
    );
    expect(await refused("rename_path", { path: "Folder", new_path: "Folder" })).toMatch(
      /^INVALID_ARGUMENT: new_path/,
    );
    expect(await refused("rename_path", { path: "Folder/Note.md", new_path: "/x.md" })).toMatch(
      /^INVALID_ARGUMENT: new_path/,
    );
    expect(everything()).toEqual(["Folder", "Folder/Note.md"]);
  });

  it("completes at the next start what a crash cut short, unless that server may not write", async () => {
    for (const [path, content] of Object.entries({ "a.md": "a", "s.md": "[[a]]\n" }))
      vault.write(path, content);
    const id = createHash("sha256").update(vault.root).digest("hex").slice(0, 16);
    const state = join(stateHome, "vault-mcp", id);
    mkdirSync(state, { recursive: true });
    const files = [{ path: "s.md", before: "x", after: "y", draft: ".vault-mcp-z" }];
    writeFileSync(
      join(state, "rename.json"),
      JSON.stringify({ from: "a.md", to: "b.md", isFolder: false, files, format: 1 }),
    );
    const reader = await serve({}, ["--read-only"]);
    await reader.ok("list_documents", {});
    expect(reader.server.stderr()).toContain("cut short");
    expect(everything()).toEqual(["a.md", "s.md"]);
    const writer = await serve();
    // Any write comes after the completion.
    await writer.ok("append_to_document", { path: "s.md", content: "x" });
    expect(everything()).toEqual(["b.md", "s.md"]);
    expect(text("s.md")).toBe("[[b]]\nx\n");
    expect(writer.server.stderr()).toContain("completed the rename");
  });
});

describe("delete_document's links", () => {
  it("are those that lead to nothing now", async () => {
    const { ok } = await serve({
      "n.md": "---\naliases: [Nick]\n---\n[[n]]",
      "s.md": "[[n]] [[Nick]]\n![](n.md) `[[n]]` [[t/x]] [[other]]",
      "t/x.md": "[[x]]",
      "x.md": "",
    });
    expect(await ok("delete_document", { path: "n.md" })).toMatchObject({
      broken_links: 3,
      links: [
        { path: "s.md", line: 1, text: "[[n]]" },
        { path: "s.md", line: 1, text: "[[Nick]]" },
        { path: "s.md", line: 2, text: "![](n.md)" },
      ],
    });
    // Another file takes the link over.
    expect(await ok("delete_document", { path: "x.md" })).toMatchObject({ broken_links: 0, links: [] });
  });
});

describe("the index", () => {
  it("has what was written when the answer arrives, without being stale", async () => {
    // A watcher tells of the same files once more, at a time of its own.
    const { ok, server } = await serve({ "a.md": "---\nstatus: open\n---\n" }, ["--watch", "off"]);
    await ok("list_documents", { wait_for_pending_writes: true });
    await ok("write_document", { path: "New/b.md", content: "---\nstatus: open\n---\n# Bee\n" });
    await ok("set_frontmatter", { path: "a.md", set: { status: "done" } });
    const { data, meta } = await server.call("list_documents", { filters: { status: "open" } });
    expect(data.result).toMatchObject([{ path: "New/b.md", title: "Bee" }]);
    expect(data.index_stale).toBe(false);
    expect(meta).toMatchObject({ index_stale: false });
    const { note, total } = await ok("list_documents", { folder: "New" });
    expect({ note, total }).toEqual({ note: undefined, total: 1 });
    await ok("rename_path", { path: "New", new_path: "Newer/still" });
    expect((await ok("list_documents", { folder: "Newer" })).note).toBeUndefined();
    await ok("delete_document", { path: "Newer/still/b.md" });
    expect((await ok("list_documents", {})).total).toBe(1);
  });
});

describe("the watcher", () => {
  it("takes what a tool wrote for known, and does not bring it in a second time", async () => {
    const { ok, server } = await serve({ "a.md": "one", "fence.md": "x" });
    await ok("list_documents", { wait_for_pending_writes: true });
    const told: string[] = [];
    const fenced = new Promise<void>((resolve) => {
      server.client.fallbackNotificationHandler = async ({ method, params }) => {
        if (method !== "notifications/resources/updated") return;
        told.push(String(params?.uri));
        if (params?.uri === "vault:///fence.md") resolve();
      };
    });
    await server.client.subscribeResource({ uri: "vault:///a.md" });
    await server.client.subscribeResource({ uri: "vault:///fence.md" });
    await ok("edit_document", { path: "a.md", edits: [{ old_text: "one", new_text: "two" }] });
    await ok("append_to_document", { path: "a.md", content: "three" });
    // Events come in their order: once this edit from outside is told, those of the writes are over.
    vault.write("fence.md", "changed outside");
    await fenced;
    expect(told.filter((uri) => uri === "vault:///a.md")).toHaveLength(2);
  });
});

describe("--read-only", () => {
  it("has no writers", async () => {
    const { server } = await serve({ "a.md": "a" }, ["--read-only"]);
    const names = (await server.client.listTools()).tools.map(({ name, annotations }) => [
      name,
      annotations?.readOnlyHint,
    ]);
    expect(names.length).toBeGreaterThan(1);
    expect(names.every(([, readOnly]) => readOnly === true)).toBe(true);
    await expect(server.call("delete_document", { path: "a.md" })).rejects.toMatchObject({ code: -32602 });
    expect(readdirSync(stateHome)).toEqual([]);
    mkdirSync(join(vault.root, "d"));
    expect(everything()).toEqual(["a.md", "d"]);
  });
});
