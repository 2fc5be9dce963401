import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ConnectedServer, connect } from "@mcp-file-servers/core/testing";
import { afterEach, expect, it } from "vitest";
import { temporaryVault } from "./support/temporary-vault.ts";

const bin = fileURLToPath(new URL("../dist/main.js", import.meta.url));

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function paths(server: ConnectedServer, args: Record<string, unknown> = {}): Promise<string[]> {
  const { data, isError, text } = await server.call("list_documents", args);
  expect(isError, text).toBe(false);
  return (data.result as { path: string }[]).map(({ path }) => path);
}

it("another server on the vault takes over when the one that leads is killed", async () => {
  const vault = temporaryVault({ "a.md": "" });
  cleanups.push(vault.dispose);
  const cache = mkdtempSync(join(tmpdir(), "vault-mcp-cache-"));
  cleanups.push(() => rmSync(cache, { recursive: true }));
  const serve = async () => {
    const server = await connect({
      bin,
      args: [vault.root],
      env: { XDG_CACHE_HOME: cache },
      node: process.execPath,
    });
    cleanups.push(() => server.close());
    return server;
  };
  const leader = await serve();
  expect(await paths(leader)).toEqual(["a.md"]);
  const other = await serve();
  expect(await paths(other)).toEqual(["a.md"]);
  vault.write("b.md", "");
  // Without waiting for it, so that only the one who watches can have found it.
  while ((await paths(other)).length < 2);
  process.kill(leader.pid, "SIGKILL");
  vault.write("c.md", "");
  vault.remove("a.md");
  while (JSON.stringify(await paths(other)) !== JSON.stringify(["b.md", "c.md"]));
  vault.write("d.md", "---\nv: 1\n---\n");
  expect(await paths(other, { filters: { v: 1 }, wait_for_pending_writes: true })).toEqual(["d.md"]);
});
