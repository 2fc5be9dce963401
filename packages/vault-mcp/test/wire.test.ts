import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ConnectedServer, connect, startRawServer } from "@mcp-file-servers/core/testing";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { type TemporaryVault, temporaryVault } from "./support/temporary-vault.ts";

const bin = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const example = fileURLToPath(new URL("../../../examples/vault", import.meta.url));

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function vaultOf(files: Record<string, string | Uint8Array>): TemporaryVault {
  const vault = temporaryVault(files);
  cleanups.push(vault.dispose);
  return vault;
}

/** Where the servers keep their indexes. */
const cache = mkdtempSync(join(tmpdir(), "vault-mcp-cache-"));
afterAll(() => rmSync(cache, { recursive: true, force: true }));
const ownCache = { XDG_CACHE_HOME: cache };

async function serve(args: string[], env: Record<string, string> = {}): Promise<ConnectedServer> {
  const server = await connect({ bin, args, env: { ...ownCache, ...env }, node: process.execPath });
  cleanups.push(() => server.close());
  return server;
}

type Entry = Record<string, unknown> & { path: string };

async function list(server: ConnectedServer, args: Record<string, unknown> = {}) {
  const { data, isError, text, meta } = await server.call("list_documents", args);
  expect(isError, text).toBe(false);
  return { ...data, meta, entries: data.result as Entry[] } as Record<string, unknown> & { entries: Entry[] };
}

describe("list_documents", () => {
  it("marks whether the index lags behind in the answer and beside it", async () => {
    const server = await serve([vaultOf({ "a.md": "" }).root]);
    const answer = await list(server);
    expect(answer.index_stale).toBe(false);
    expect(answer.meta).toMatchObject({ index_stale: false });
    expect(answer.note).toBeUndefined();
  });

  it("keeps a large page within the budget, with a note and a cursor", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, index) => [`n${index}.md`, "---\na: b\n---\n"]),
    );
    const server = await serve([vaultOf(files).root]);
    const answer = await list(server, { limit: 1_000, wait_for_pending_writes: true });
    expect(answer).toMatchObject({ total: 3_000, note: expect.stringContaining("next_cursor goes on") });
    expect(answer.next_cursor).toEqual(expect.any(String));
    const { data } = await server.call("list_documents", { limit: 1_000 });
    expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThanOrEqual(40_000);
  });

  it("waits for the first reading of the vault, however many ask", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [`n${index}.md`, `# ${index}`]),
    );
    const server = await serve([vaultOf(files).root]);
    const args = { limit: 1, wait_for_pending_writes: true };
    const answers = await Promise.all([list(server, args), list(server, args)]);
    for (const { total } of answers) expect(total).toBe(2_000);
  });

  it("shortens long values and says so", async () => {
    const server = await serve([vaultOf({ "a.md": `---\nlong: ${"x".repeat(9_000)}\n---\n` }).root]);
    const { entries, note } = await list(server);
    expect(entries[0]?.frontmatter).toEqual({ long: `${"x".repeat(2_000)}…` });
    expect(note).toMatch(/shortened here; read_document/);
    expect((await list(server, { include_frontmatter: false })).note).toBeUndefined();
  });

  it("sends an entry that is larger than an answer alone, and names what is left out", async () => {
    const tags = Array.from({ length: 20_000 }, (_, index) => `#t${index}`).join(" ");
    const server = await serve([vaultOf({ "a.md": tags, "b.md": "" }).root]);
    const first = await list(server);
    expect(first).toMatchObject({ returned: 1, omitted: ["tags"], entries: [{ path: "a.md" }] });
    const second = await list(server, { cursor: first.next_cursor });
    expect(second).toMatchObject({ entries: [{ path: "b.md" }], next_cursor: null });
  });

  it("tells that filters exclude attachments when they were asked for", async () => {
    const server = await serve([vaultOf({ "a.md": "---\na: 1\n---\n", "p.png": "" }).root]);
    const answer = await list(server, { include_attachments: true, filters: { a: 1 } });
    expect(answer.entries.map(({ path }) => path)).toEqual(["a.md"]);
    expect(answer.note).toMatch(/Filters exclude attachments/);
  });
});

describe("a vault reached through a link", () => {
  it("is read by relative path and by both absolute forms", async () => {
    const vault = vaultOf({ "real/a.md": "A" });
    symlinkSync(`${vault.root}/real`, `${vault.root}/rl`);
    const server = await serve([`${vault.root}/rl`]);
    for (const path of ["a.md", `${vault.root}/rl/a.md`, `${vault.root}/real/a.md`]) {
      expect((await server.call("read_document", { path })).data).toMatchObject({
        path: "a.md",
        content: "A",
      });
    }
    const wrong = await server.call("read_document", { path: `${vault.root}/a.md` });
    expect(wrong.text).toMatch(/^NOT_FOUND: /);
  });
});

describe("read_document", () => {
  it("gives blocks of known kinds only", async () => {
    const png = readFileSync(`${example}/Attachments/shed.png`);
    const server = await serve([vaultOf({ "p.png": png, "t.txt": "text", "d.pdf": "%PDF" }).root]);
    const blocks = async (path: string) => (await server.call("read_document", { path })).content;
    expect(await blocks("p.png")).toMatchObject([
      { type: "text" },
      { type: "image", mimeType: "image/png", data: png.toString("base64") },
    ]);
    expect(await blocks("t.txt")).toMatchObject([{ type: "text" }]);
    expect(await blocks("d.pdf")).toMatchObject([
      { type: "text" },
      { type: "resource_link", uri: "vault:///d.pdf", name: "d.pdf", mimeType: "application/pdf", size: 4 },
    ]);
  });

  it.each([
    { path: "a.md" },
    { path: "Long.md", section: "x" },
    { path: "Long.md", start_line: 2 },
    { paths: ["Long.md"] },
  ])("refuses to go on with another reading for %j", async (args) => {
    const server = await serve([vaultOf({ "a.md": "# A", "Long.md": "0123456789\n".repeat(9_000) }).root]);
    const { data } = await server.call("read_document", { path: "Long.md" });
    const refused = expect.stringMatching(/^INVALID_CURSOR: /);
    expect(await server.call("read_document", { ...args, cursor: data.next_cursor })).toMatchObject({
      text: refused,
    });
    const cut = String(data.next_cursor).slice(0, -1);
    expect(await server.call("read_document", { path: "Long.md", cursor: cut })).toMatchObject({
      text: refused,
    });
  });

  it("stays within the smallest budget, whatever the note", async () => {
    const keys = Array.from({ length: 300 }, (_, index) => `key${index}: "${"\\n".repeat(20)}"`).join("\n");
    const headings = Array.from({ length: 300 }, (_, index) => `# heading "${index}"`).join("\n");
    const text = `---\n${keys}\n---\n${headings}\n${'\\"\u0001'.repeat(9_000)}`;
    const server = await serve([vaultOf({ "n.md": text }).root, "--max-result-bytes", "4000"]);
    let content = "";
    let cursor: unknown;
    do {
      const { data, text: whole } = await server.call("read_document", {
        path: "n.md",
        ...(cursor ? { cursor } : {}),
      });
      expect(Buffer.byteLength(whole)).toBeLessThanOrEqual(4_000);
      content += data.content;
      cursor = data.next_cursor;
    } while (cursor);
    expect(content).toBe(text);
  });
});

describe("resources", () => {
  it("lists notes and attachments and reads them by any spelling of their URI", async () => {
    const vault = vaultOf({
      "Folder/Test Note.md": "T",
      "Folder/Caf\u00e9.md": "C",
      "a b.png": "x",
      ".h/x.md": "",
    });
    const { client } = await serve([vault.root]);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      "vault:///Folder/Caf%C3%A9.md",
      "vault:///Folder/Test%20Note.md",
      "vault:///a%20b.png",
    ]);
    const text = async (uri: string) => (await client.readResource({ uri })).contents[0];
    expect(await text("vault:///Folder/Test%20Note.md")).toMatchObject({
      text: "T",
      mimeType: "text/markdown",
    });
    for (const uri of [
      "vault:///Folder/Caf%C3%A9.md",
      "vault:///Folder/Caf\u00e9.md",
      "vault:///Folder/Cafe%CC%81.md",
    ]) {
      expect(await text(uri)).toMatchObject({ text: "C", uri });
    }
    expect(await text("vault:///a%20b.png")).toMatchObject({ blob: Buffer.from("x").toString("base64") });
    for (const uri of [
      "vault:///none.md",
      "vault:///%",
      "vault:///..%2Fx.md",
      "vault:///.h/x.md",
      "file:///etc/passwd",
    ]) {
      await expect(client.readResource({ uri }), uri).rejects.toThrow();
    }
  });

  it("tells subscribers of changes on the disk", async () => {
    const vault = vaultOf({ "a.md": "one", "b.md": "" });
    const raw = startRawServer({ bin, args: [vault.root], env: ownCache, node: process.execPath });
    cleanups.push(async () => {
      raw.kill("SIGTERM");
      await raw.exited;
    });
    await raw.initialize();
    await raw.request("resources/subscribe", { uri: "vault:///a.md" });
    await raw.request("tools/call", { name: "list_documents", arguments: { wait_for_pending_writes: true } });
    writeFileSync(`${vault.root}/b.md`, "not subscribed");
    writeFileSync(`${vault.root}/a.md`, "two");
    const told = await raw.message(({ method }) => method === "notifications/resources/updated");
    expect(told.params).toEqual({ uri: "vault:///a.md" });
    expect(raw.lines.filter((line) => line.includes("b.md") && line.includes("updated"))).toEqual([]);
  });
});

describe("scarce file handles", () => {
  it("serves 600 folders with 256 handles and sees a change", async () => {
    const vault = vaultOf({});
    for (let index = 0; index < 600; index += 1) mkdirSync(`${vault.root}/v/f${index}`, { recursive: true });
    vault.write("v/f1/a.md", "A");
    vault.write("node", `#!/bin/sh\nulimit -n 256\nexec "${process.execPath}" "$@"\n`);
    chmodSync(`${vault.root}/node`, 0o755);
    const server = await connect({
      bin,
      args: [`${vault.root}/v`],
      env: ownCache,
      node: `${vault.root}/node`,
    });
    cleanups.push(() => server.close());
    expect((await list(server)).total).toBe(1);
    vault.write("v/f599/b.md", "B");
    await expect.poll(async () => (await list(server)).total, { timeout: 20_000 }).toBe(2);
    expect((await server.call("read_document", { path: "f599/b.md" })).data.content).toBe("B");
  });
});

describe("the example vault", () => {
  it("is a bundle with one broken note, read as it is", async () => {
    const vault = vaultOf({});
    cpSync(example, vault.root, { recursive: true });
    const server = await serve([vault.root]);
    const { entries } = await list(server, {
      include_attachments: true,
      limit: 1_000,
      wait_for_pending_writes: true,
    });
    expect(entries.length).toBeGreaterThan(25);
    expect(entries.filter(({ parse_error }) => parse_error).map(({ path }) => path)).toEqual([
      "Inbox/Broken label.md",
    ]);
    const stale = await list(server, { filters: { stale: true } });
    expect(stale.entries.map(({ path }) => path)).toContain("Tools/Water Pump.md");
    const plans = await list(server, { pattern: "Beds/Plans [2031]/*", filters: { status: "deprecated" } });
    expect(plans.entries.map(({ path }) => path)).toEqual(["Beds/Plans [2031]/Paths (new).md"]);
    for (const { path } of entries) {
      const { isError, text, data } = await server.call("read_document", { path });
      expect(isError, text).toBe(false);
      if (typeof data.content === "string")
        expect(data.content).toBe(readFileSync(`${example}/${path}`, "utf8"));
    }
  });
});
