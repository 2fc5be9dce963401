import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Tool } from "@mcp-file-servers/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLibrary } from "../src/adapters/create-library.ts";
import { VaultFiles } from "../src/adapters/vault-files.ts";
import { VaultWriter } from "../src/adapters/writing/vault-writer.ts";
import { app, withinFolders } from "../src/app.ts";
import { parseFolderScope } from "../src/domain/restrict/folder-scope.ts";
import { vaultResources } from "../src/resources.ts";
import { restrictDeps } from "../src/restrict-deps.ts";
import type { VaultDeps } from "../src/tools/define.ts";
import { openTools } from "./support/open-tools.ts";
import { attempts, guardedVault, secret, told } from "./support/scope-attempts.ts";
import type { TemporaryVault } from "./support/temporary-vault.ts";

const { signal } = new AbortController();

const limited = withinFolders(app);

describe("a caller who is limited to a folder", () => {
  let vault: TemporaryVault;
  let own: VaultDeps;
  let close: () => Promise<void>;

  beforeAll(async () => {
    vault = guardedVault();
    const opened = openTools(vault.root);
    const { deps, connection, writing } = opened;
    const now = () => new Date();
    const scope = parseFolderScope(["/Public/"]);
    own = restrictDeps(deps, scope, {
      ...createLibrary({ index: deps.index, connection }, now, scope),
      reader: (within) => new VaultFiles(vault.root, within),
      writer: (within) => new VaultWriter({ ...writing, visibility: within }),
    });
    close = opened.close;
    await deps.index.ready(20_000, signal);
  });
  afterAll(async () => {
    await close();
    vault.dispose();
  });

  async function call(tool: Tool<VaultDeps>, args: Record<string, unknown>): Promise<string> {
    const context = {
      signal,
      budget: 40_000,
      client: "test",
      progress: () => {},
      after: undefined,
      walk: undefined,
    };
    try {
      return JSON.stringify(await tool.run(tool.input.parse(args), own, context));
    } catch (error) {
      const { code, details, message } = error as { code?: string; details?: object; message: string };
      if (code === undefined) throw error;
      return JSON.stringify({ code, details, message });
    }
  }

  it("is tried with every tool that it has", () => {
    expect(Object.keys(attempts).sort()).toEqual(limited.tools.map(({ name }) => name).sort());
  });

  it.each(limited.tools.map((tool) => [tool.name, tool] as const))(
    "learns nothing by %s",
    async (name, tool) => {
      for (const args of attempts[name] ?? []) {
        const answer = await call(tool, args);
        expect(told(answer, args), `${name} ${JSON.stringify(args)}`).not.toContain(secret);
      }
    },
  );

  it("gets the same answer whether something is there or not", async () => {
    const read = limited.tools.find(({ name }) => name === "read_document") as Tool<VaultDeps>;
    const there = await call(read, { path: "Private/zanzibar.md" });
    const missing = await call(read, { path: "Private/nothing.md" });
    expect(there.replaceAll("zanzibar", "nothing")).toBe(missing);
  });

  it("counts what is in its folder alone", async () => {
    const run = async (name: string, args: object) =>
      JSON.parse(
        await call(limited.tools.find((tool) => tool.name === name) as Tool<VaultDeps>, args as never),
      );
    const paths = (page: { entries: { entry: { path: string } }[] }) =>
      page.entries.map(({ entry }) => entry.path);
    const listed = await run("list_documents", { include_attachments: true });
    const kept = existsSync(join(vault.root, "Public/linked.md")) ? ["Public/linked.md"] : [];
    expect(paths(listed)).toEqual(["Public/Inside.md", ...kept, "Public/shared.md"].sort());
    expect(listed.fields.total).toBe(2 + kept.length);
    expect(
      (await run("list_folders", {})).entries.map(({ entry }: { entry: unknown }) => entry),
    ).toMatchObject([{ path: "", total_notes: 2 + kept.length, total_attachments: 0 }, { path: "Public" }]);
    const status = await run("get_status", {});
    expect(status).toMatchObject({
      vault: { notes: 2 + kept.length, attachments: 0, folders: 1 },
      broken_total: 0,
    });
    expect(status.index).toMatchObject({ indexed: 0, found: 0, pending_changes: 0 });
    expect((await run("list_tags", {})).entries).toHaveLength(1);
    expect((await run("list_properties", {})).entries).toHaveLength(1);
    expect((await run("get_links", { path: "Public/shared.md" })).fields).toMatchObject({
      outlinks: 1,
      backlinks: 1,
    });
    expect((await run("check_links", { kind: "broken" })).fields.total).toBe(0);
    expect((await run("search_documents", { query: "shared" })).fields.total).toBe(2);
  });

  it("sees only its own resources, and hears only of these", async () => {
    const { resources } = await vaultResources.list(own, { after: undefined, limit: 100, signal });
    expect(JSON.stringify(resources)).not.toContain(secret);
    expect(resources.length).toBeGreaterThan(0);
    for (const uri of ["vault:///Private/zanzibar.md", "vault:///Public/door/zanzibar.md"]) {
      const read = await vaultResources.read(own, uri, signal).catch((error) => JSON.stringify(error.code));
      expect(JSON.stringify(read)).not.toContain("zanzibar value");
    }
    const canonical = (uri: string) => vaultResources.canonicalUri(own, uri);
    for (const path of [
      "Private/zanzibar.md",
      "Private/none.md",
      "Publi/x.md",
      "Public",
      "Public/.x.md",
      "",
    ]) {
      expect(canonical(`vault:///${path}`), path).toBeUndefined();
    }
    expect(canonical("vault:///Public/Cafe%CC%81.md")).toBe("vault:///Public/Caf%C3%A9.md");
    const heard: string[] = [];
    const stop = vaultResources.watch(own, {
      updated: (uri) => heard.push(uri),
      listChanged: () => heard.push("list"),
    });
    vault.write("Private/zanzibar new.md", "x");
    await own.index.settle(20_000, signal);
    expect(heard).toEqual([]);
    vault.write("Public/new.md", "x");
    await own.index.settle(20_000, signal);
    expect(heard).toEqual(["vault:///Public/new.md", "list"]);
    stop();
  });

  it("changes nothing outside of its folder", () => {
    expect(readFileSync(join(vault.root, "Private/zanzibar.md"), "utf8")).toContain("zanzibar value");
    for (const path of ["Private/new.md", "Private/more.md", "Private/gone.md", "new.md"]) {
      expect(existsSync(join(vault.root, path)), path).toBe(false);
    }
  });
});
