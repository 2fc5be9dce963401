import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
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
import { type TemporaryVault, temporaryVault } from "./support/temporary-vault.ts";

/** Stands in every name, text, key, value and tag outside of the caller's folder, and nowhere inside. */
const secret = "zanzibar";

const { signal } = new AbortController();

const limited = withinFolders(app);

/** Whatever a caller could try, at what lies outside of its folder. */
const attempts: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  list_documents: [
    {},
    { include_attachments: true },
    { folder: "Private" },
    { folder: "" },
    { folder: "Public/door" },
    { pattern: "**" },
    { pattern: "*zanz*" },
    { tags: ["zanziba"] },
    { filters: { zanziba: 1 } },
    { filters: { owner: { exists: true } } },
    { sort: "title" },
    { sort: "modified", order: "desc" },
    { wait_for_pending_writes: true },
  ],
  search_documents: [
    { query: "zanzib" },
    { query: "zanzibar" },
    { query: "zanzibar shared" },
    { query: "anziba", match: "literal" },
    { query: "shared", folder: "Private" },
    { query: "shared", pattern: "Private/**" },
    { query: "zanzibar", tags: ["zanziba"] },
  ],
  read_document: [
    { path: "Private/zanzibar.md" },
    { path: "Private/zanziba.md" },
    { path: "zanzibar root.md" },
    { path: "Public/../Private/zanzibar.md" },
    { path: "Public/door/zanzibar.md" },
    { path: "Public/window.md" },
    { path: "PRIVATE/zanzibar.md" },
    { paths: ["Private/zanzibar.md", "Public/shared.md", "Public/zanzibar.md"] },
    { path: "Public/zanziba.md" },
    { path: "Private/zanzibar.md", version: "0123456789abcdef" },
  ],
  list_folders: [{}, { depth: 1 }, { folder: "Private" }, { folder: "Privat" }, { folder: "Public/x" }],
  list_tags: [{}, { prefix: "zanz" }, { prefix: "zanzibaz" }],
  list_properties: [{}, { key: "zanzibar key" }, { key: "owner" }, { key: "zanzibar" }],
  get_links: [
    { path: "Public/shared.md" },
    { path: "Private/zanzibar.md" },
    { path: "Public/zanzibar.md" },
    { path: "Public/shared.md", direction: "backlinks" },
  ],
  check_links: [
    { kind: "broken" },
    { kind: "orphans" },
    { kind: "ambiguous" },
    { kind: "broken", folder: "Private" },
    { kind: "orphans", folder: "" },
  ],
  get_status: [{}],
  write_document: [
    { path: "Private/new.md", content: "x" },
    { path: "Public/door/new.md", content: "x" },
    { path: "new.md", content: "x" },
    { path: "Private/zanzibar.md", content: "x", if_match: "0123456789abcdef" },
  ],
  edit_document: [
    { path: "Private/zanzibar.md", edits: [{ old_text: "a", new_text: "b" }] },
    { path: "Public/door/zanzibar.md", edits: [{ old_text: "a", new_text: "b" }] },
    { path: "Public/window.md", edits: [{ old_text: "a", new_text: "b" }] },
  ],
  append_to_document: [
    { path: "Private/zanzibar.md", content: "x" },
    { path: "Private/more.md", content: "x", create_if_missing: true },
  ],
  set_frontmatter: [{ path: "Private/zanzibar.md", set: { a: 1 } }],
  delete_document: [
    { path: "Private/zanzibar.md" },
    { path: "Public/window.md" },
    { path: "Public/linked.md" },
  ],
  restore_document: [
    { path: "Private/gone.md" },
    { path: "Private/zanzibar.md", version: "0123456789abcdef" },
  ],
};

describe("a caller who is limited to a folder", () => {
  let vault: TemporaryVault;
  let own: VaultDeps;
  let close: () => Promise<void>;

  beforeAll(async () => {
    vault = temporaryVault({
      "Public/shared.md": "---\nstatus: open\n---\n# Shared\n\n[[Inside]] #mine\n",
      "Public/Inside.md": "[[shared]]",
      "Public/linked.md": "here",
      "Private/zanzibar.md":
        "---\nzanzibar key: zanzibar value\nowner: zanzibar\naliases: [zanzibar alias]\n---\n# zanzibar\n\n[[shared]] [[linked]] [[zanzibar nowhere]] #zanzibar shared",
      "Private/zanzibar.png": "x",
      "Private/broken zanzibar.md": '---\na: "zanzibar\n---\n',
      "zanzibar root.md": "---\nokf_version: 1\n---\nzanzibar",
      "zanzibar folder/Inside.md": "zanzibar",
    });
    mkdirSync(join(vault.root, "Private/zanzibar sub"));
    symlinkSync("../Private", join(vault.root, "Public/door"));
    symlinkSync("../Private/zanzibar.md", join(vault.root, "Public/window.md"));
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

  /** What an answer tells besides what was asked with. */
  function told(answer: string, args: object): string {
    let rest = answer;
    for (const value of Object.values(args).flat()) {
      if (typeof value === "string" && value !== "") rest = rest.replaceAll(value, "");
    }
    return rest;
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
    const told = (uri: string) => vaultResources.canonicalUri(own, uri);
    for (const path of [
      "Private/zanzibar.md",
      "Private/none.md",
      "Publi/x.md",
      "Public",
      "Public/.x.md",
      "",
    ]) {
      expect(told(`vault:///${path}`), path).toBeUndefined();
    }
    expect(told("vault:///Public/Cafe%CC%81.md")).toBe("vault:///Public/Caf%C3%A9.md");
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
