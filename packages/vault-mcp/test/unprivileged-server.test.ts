import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConnectedServer, connect } from "@mcp-file-servers/core/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { app } from "../src/app.ts";
import { etagOf } from "../src/domain/etag.ts";
import { type TemporaryVault, temporaryVault } from "./support/temporary-vault.ts";
import { nobody, type UnprivilegedServer, unprivilegedServer } from "./support/unprivileged-server.ts";

const files = {
  "a.md": "---\nstatus: open\n---\n# A\n\n[[b]] words",
  "Folder/b.md": "# B",
  "Folder/p.png": "p",
  "locked.md": "# Locked [[b]]",
  "Closed/x.md": "x",
};

/** A good call of each writer, were it not for the rights. */
const writing: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  write_document: [
    { path: "new.md", content: "x" },
    { path: "New/folder/new.md", content: "x" },
    { path: "a.md", content: "x", if_match: etagOf(Buffer.from(files["a.md"])) },
  ],
  edit_document: [{ path: "a.md", edits: [{ old_text: "words", new_text: "x" }] }],
  append_to_document: [
    { path: "a.md", content: "x" },
    { path: "new.md", content: "x", create_if_missing: true },
  ],
  set_frontmatter: [{ path: "a.md", set: { status: "done" } }],
  rename_path: [
    { path: "Folder/b.md", new_path: "c.md" },
    { path: "Folder", new_path: "Elsewhere/Folder" },
  ],
  delete_document: [{ path: "a.md" }, { path: "Folder/p.png" }],
  restore_document: [{ path: "gone.md" }],
};

let unprivileged: UnprivilegedServer;
let vault: TemporaryVault;
let home: string;
let server: ConnectedServer;

beforeAll(() => {
  unprivileged = unprivilegedServer();
});
afterAll(() => unprivileged.dispose());

const own = (path: string) => process.getuid?.() === 0 && chownSync(path, nobody, nobody);

async function serve(root: string) {
  const env = { XDG_CACHE_HOME: home, XDG_STATE_HOME: home, HOME: home };
  server = await connect({ bin: unprivileged.bin, args: [root], env, node: unprivileged.node });
  return server;
}

const everything = () => readdirSync(vault.root, { recursive: true }).map(String).sort();
const folders = () => ["", "Folder", "Closed"].map((folder) => join(vault.root, folder));

beforeEach(() => {
  vault = temporaryVault(files);
  home = mkdtempSync(join(tmpdir(), "vault-mcp-home-"));
  own(home);
});
afterEach(async () => {
  await server.close();
  for (const folder of folders()) chmodSync(folder, 0o755);
  vault.dispose();
  rmSync(home, { recursive: true, force: true });
});

describe("a vault that the server may only read", () => {
  beforeEach(() => {
    for (const path of Object.keys(files)) chmodSync(join(vault.root, path), 0o444);
    for (const folder of folders()) chmodSync(folder, 0o555);
  });

  it("is listed, searched and read, also through a link", async () => {
    const link = `${home}/link`;
    symlinkSync(vault.root, link);
    await serve(link);
    const listed = await server.call("list_documents", { wait_for_pending_writes: true });
    expect(listed.data).toMatchObject({ total: 4 });
    expect((await server.call("search_documents", { query: "words" })).data).toMatchObject({ total: 1 });
    expect((await server.call("read_document", { path: `${link}/a.md` })).data).toMatchObject({
      content: files["a.md"],
    });
  });

  it.each(app.tools.filter(({ effect }) => effect !== "read").map(({ name }) => name))(
    "is as it was after %s, which says why",
    async (name) => {
      const before = everything();
      await serve(vault.root);
      for (const args of writing[name] ?? [{}]) {
        const { isError, text } = await server.call(name, args);
        expect(isError).toBe(true);
        // What was never deleted cannot come back.
        const expected =
          name === "restore_document" ? /^VERSION_NOT_FOUND: / : /^NOT_WRITTEN: .*permission denied/;
        expect(text, JSON.stringify(args)).toMatch(expected);
      }
      expect(everything()).toEqual(before);
      for (const [path, content] of Object.entries(files))
        expect(readFileSync(join(vault.root, path), "utf8")).toBe(content);
    },
  );
});

describe("files and folders that the server may not read", () => {
  beforeEach(() => {
    for (const path of ["", "Folder", "a.md", "Folder/b.md"]) own(join(vault.root, path));
    chmodSync(join(vault.root, "locked.md"), 0);
    chmodSync(join(vault.root, "Closed"), 0);
  });

  it("are told, and everything else is served", async () => {
    await serve(vault.root);
    const { data } = await server.call("list_documents", { wait_for_pending_writes: true });
    expect(data.result).toMatchObject([
      { path: "Folder/b.md" },
      { path: "a.md" },
      { path: "locked.md", parse_error: { message: "cannot be read: permission denied" } },
    ]);
    expect(server.stderr()).toContain('left out "Closed"');
    for (const path of ["locked.md", "Closed/x.md"]) {
      expect((await server.call("read_document", { path })).text).toMatch(
        /^VAULT_UNREADABLE: .*permission denied/,
      );
    }
    expect((await server.call("get_status")).data).toMatchObject({ broken_total: 1 });
  });

  it("are left alone by a rename, which names them", async () => {
    await serve(vault.root);
    const { data, text } = await server.call("rename_path", { path: "Folder/b.md", new_path: "c.md" });
    expect(data, text).toMatchObject({ renamed: true, links_changed: 1 });
    expect(data.note).toMatch(/not looked at.*: locked\.md/);
    expect(readFileSync(join(vault.root, "a.md"), "utf8")).toContain("[[c]]");
    expect(readFileSync(join(vault.root, "locked.md"), "utf8")).toBe(files["locked.md"]);
  });
});
