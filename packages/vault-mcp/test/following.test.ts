import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ConnectedServer, connect } from "@mcp-file-servers/core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TemporaryVault, temporaryVault } from "./support/temporary-vault.ts";

const bin = fileURLToPath(new URL("../dist/main.js", import.meta.url));

let vault: TemporaryVault;
let home: string;
let server: ConnectedServer;

beforeEach(() => {
  vault = temporaryVault({ "a.md": "first words", "Folder/b.md": "# B", "Folder/deep/c.md": "[[b]]" });
  home = mkdtempSync(join(tmpdir(), "vault-mcp-following-"));
});
afterEach(async () => {
  await server.close();
  vault.dispose();
  rmSync(home, { recursive: true, force: true });
});

const serve = async (...args: string[]) => {
  const env = { XDG_CACHE_HOME: home, XDG_STATE_HOME: home };
  server = await connect({ bin, args: [vault.root, ...args], env, node: process.execPath });
};
const at = (path: string) => join(vault.root, path);

/** What is listed once everything of before this call is in the index. */
async function listed(args: Record<string, unknown> = {}): Promise<string[]> {
  const { data, text, isError } = await server.call("list_documents", {
    wait_for_pending_writes: true,
    limit: 1_000,
    include_frontmatter: false,
    ...args,
  });
  expect(isError, text).toBe(false);
  return (data.result as { path: string }[]).map(({ path }) => path);
}

async function found(query: string): Promise<string[]> {
  const { data } = await server.call("search_documents", { query });
  return ((data.hits ?? []) as { path: string }[]).map(({ path }) => path);
}

describe.each(["auto", "poll", "off"])("the built server with --watch %s", { timeout: 120_000 }, (watch) => {
  it("follows saves by rename, moved and new folders and deletions", async () => {
    await serve("--watch", watch);
    expect(await listed()).toEqual(["Folder/b.md", "Folder/deep/c.md", "a.md"]);
    writeFileSync(at(".a.md.tmp"), "other words entirely");
    renameSync(at(".a.md.tmp"), at("a.md"));
    expect(await listed()).toHaveLength(3);
    expect([await found("entirely"), await found("first")]).toEqual([["a.md"], []]);
    renameSync(at("Folder"), at("Moved"));
    expect(await listed()).toEqual(["Moved/b.md", "Moved/deep/c.md", "a.md"]);
    mkdirSync(at("New/inner"), { recursive: true });
    vault.write("New/inner/d.md", "new");
    expect(await listed({ folder: "New" })).toEqual(["New/inner/d.md"]);
    vault.remove("Moved");
    expect(await listed()).toEqual(["New/inner/d.md", "a.md"]);
    const { data } = await server.call("list_folders", {});
    expect((data.folders as { path: string }[]).map(({ path }) => path)).toEqual(["", "New", "New/inner"]);
  });

  it("takes in a checkout of thousands of files, and another state of it, as a whole", async () => {
    await serve("--watch", watch);
    await listed();
    const count = 5_000;
    for (let index = 0; index < count; index += 1)
      vault.write(`w${index % 50}/n${index}.md`, `word${index % 7}`);
    const total = async (args: Record<string, unknown>) => {
      const { data } = await server.call("list_documents", {
        limit: 1,
        wait_for_pending_writes: true,
        ...args,
      });
      return data.total;
    };
    expect(await total({})).toBe(count + 3);
    for (let index = 0; index < count; index += 10) rmSync(at(`w${index % 50}/n${index}.md`));
    for (let index = 1; index < count; index += 10) vault.write(`w${index % 50}/n${index}.md`, "#changed");
    expect(await total({})).toBe(count + 3 - count / 10);
    expect(await total({ tags: ["changed"] })).toBe(count / 10);
  });
});

describe("an index that comes to harm while the server runs", { timeout: 120_000 }, () => {
  /** The file of the only index there is. */
  const indexFile = () => {
    const [name] = readdirSync(home, { recursive: true })
      .map(String)
      .filter((path) => path.endsWith(".sqlite"));
    return join(home, name ?? "");
  };
  const paths = async () => {
    const { data } = await server.call("list_documents", { wait_for_pending_writes: true });
    return (data.result as { path: string }[] | undefined)?.map(({ path }) => path);
  };

  it("is made again where its file is deleted", async () => {
    await serve();
    await listed();
    const file = indexFile();
    const { ino } = statSync(file);
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${file}${suffix}`, { force: true });
    await expect
      .poll(() => statSync(file, { throwIfNoEntry: false })?.ino ?? ino, { timeout: 30_000 })
      .not.toBe(ino);
    vault.write("since.md", "since then");
    await expect
      .poll(paths, { timeout: 30_000 })
      .toEqual(["Folder/b.md", "Folder/deep/c.md", "a.md", "since.md"]);
    expect(await found("since")).toEqual(["since.md"]);
  });

  it("is made again where its file is overwritten", async () => {
    for (let index = 0; index < 500; index += 1)
      vault.write(`more/n${index}.md`, `words ${index} `.repeat(50));
    await serve();
    await listed();
    const file = indexFile();
    const handle = openSync(file, "r+");
    for (let page = 1; page * 4_096 < statSync(file).size; page += 1)
      writeSync(handle, Buffer.alloc(4_000, 0xa5), 0, 4_000, page * 4_096);
    closeSync(handle);
    vault.write("since.md", "since then");
    await expect.poll(() => found("since"), { timeout: 60_000 }).toEqual(["since.md"]);
    const { data } = await server.call("list_documents", { wait_for_pending_writes: true, limit: 1 });
    expect(data.total).toBe(504);
    expect((await server.call("read_document", { path: "a.md" })).data.content).toBe("first words");
  });
});
