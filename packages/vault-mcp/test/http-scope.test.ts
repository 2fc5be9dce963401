import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type RawServer, startRawServer } from "@mcp-file-servers/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectHttp, type HttpClient } from "./support/http-client.ts";
import { attempts, guardedVault, secret, told } from "./support/scope-attempts.ts";
import type { TemporaryVault } from "./support/temporary-vault.ts";

const bin = fileURLToPath(new URL("../dist/main.js", import.meta.url));

let home: string;
let vault: TemporaryVault;
let server: RawServer;
let client: HttpClient;
let outside: Record<string, string>;

/** The files that the caller must neither learn of nor change. */
function contentsOutside(): Record<string, string> {
  const paths = readdirSync(vault.root, { recursive: true }).map(String);
  const files = paths.filter((path) => !/^(?:Public|\.trash)\b/.test(path));
  return Object.fromEntries(
    files
      .filter((path) => statSync(join(vault.root, path)).isFile())
      .map((path) => [path, readFileSync(join(vault.root, path), "utf8")]),
  );
}

beforeAll(async () => {
  vault = guardedVault();
  home = mkdtempSync(join(tmpdir(), "vault-mcp-http-"));
  outside = contentsOutside();
  const tokens = ["--tokens", join(home, "tokens.json")];
  const add = [bin, "token", "add", "ann", "--scope", "folders=Public", ...tokens];
  const token = spawnSync(process.execPath, add, { encoding: "utf8", timeout: 20_000 }).stdout.trim();
  const env = { XDG_CACHE_HOME: home, XDG_STATE_HOME: home };
  server = startRawServer({
    bin,
    args: [vault.root, "--http", "0", ...tokens],
    env,
    node: process.execPath,
  });
  const [, where = ""] = await server.saidOnStderr(/serves (http:\S+)/);
  client = await connectHttp(new URL(where), token);
  await client.call("list_documents", { wait_for_pending_writes: true });
});
afterAll(async () => {
  server.kill("SIGTERM");
  await server.exited;
  vault.dispose();
  rmSync(home, { recursive: true, force: true });
});

describe("a token for one folder, over the wire", () => {
  it("has the tools that are tried here, each of them", async () => {
    const { tools } = await client.request("tools/list");
    expect((tools as { name: string }[]).map(({ name }) => name).sort()).toEqual(
      Object.keys(attempts).sort(),
    );
    await expect(
      client.request("tools/call", {
        name: "rename_path",
        arguments: { path: "Public/a.md", new_path: "a.md" },
      }),
    ).rejects.toThrow("rename_path");
  });

  it.each(Object.keys(attempts))("learns and changes nothing by %s", async (name) => {
    for (const args of attempts[name] ?? []) {
      const { text } = await client.call(name, args);
      expect(told(text, args), `${name} ${JSON.stringify(args)}`).not.toContain(secret);
      expect(text).not.toMatch(/^INTERNAL/);
    }
    expect(contentsOutside()).toEqual(outside);
  });

  it("lists, reads and subscribes to its own resources alone", async () => {
    const { resources } = await client.request("resources/list");
    expect((resources as { uri: string }[]).map(({ uri }) => uri)).toContain("vault:///Public/shared.md");
    expect(JSON.stringify(resources)).not.toContain(secret);
    const read = (uri: string) => client.request("resources/read", { uri });
    expect(JSON.stringify(await read("vault:///Public/shared.md"))).toContain("# Shared");
    const refused = ["Private/zanzibar.md", "zanzibar%20root.md", "Private/none.md"];
    for (const path of [...refused, "Public/door/zanzibar.md", "Public/window.md"]) {
      await expect(read(`vault:///${path}`), path).rejects.toThrow();
    }
    for (const path of refused) {
      const subscribed = client.request("resources/subscribe", { uri: `vault:///${path}` });
      await expect(subscribed, path).rejects.toThrow();
    }
    await client.request("resources/subscribe", { uri: "vault:///Public/shared.md" });
  });

  it("can work in its folder", async () => {
    expect(await client.call("write_document", { path: "Public/new.md", content: "own" })).toMatchObject({
      isError: false,
    });
    expect(readFileSync(join(vault.root, "Public/new.md"), "utf8")).toBe("own");
  });
});
