import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { bundleScript } from "@mcp-file-servers/sqlite/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { etagOf } from "../src/domain/etag.ts";
import { type TemporaryWriter, temporaryWriter } from "./support/temporary-writer.ts";

/** More of them by `VAULT_MCP_SAVES`, for a longer look than a test run has time for. */
const saves = Number(process.env.VAULT_MCP_SAVES ?? 100);
const { signal } = new AbortController();
let scripts: string;
let editor: string;
let dyingWriter: string;
let world: TemporaryWriter;

beforeAll(async () => {
  scripts = mkdtempSync(join(tmpdir(), "vault-mcp-scripts-"));
  const place = () => mkdtempSync(join(scripts, "one-"));
  editor = await bundleScript(new URL("children/saving-editor.ts", import.meta.url), place());
  dyingWriter = await bundleScript(new URL("children/dying-writer.ts", import.meta.url), place());
});

afterAll(() => rmSync(scripts, { recursive: true }));

beforeEach(() => {
  world = temporaryWriter({ "note.md": "first", "Folder/deep.md": "deep" });
});

afterEach(() => world.dispose());

test(
  "no save of an editor is lost, whenever it comes: it stays, or is kept and told of",
  async () => {
    const child = spawn(process.execPath, [editor, join(world.vault.root, "note.md"), String(saves)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [said, closed] = [text(child.stdout), once(child, "close")];
    const known = new Set<string | undefined>();
    const replaceOnce = async (content: string) => {
      const file = await world.read("note.md");
      const { kept, overtaken } = await world.writer.replace(file, "note.md", Buffer.from(content));
      known.add(kept).add(overtaken);
    };
    try {
      for (let round = 0; child.exitCode === null; round += 1) {
        const turn = world.writer.exclusively(signal, () => replaceOnce(`ours ${round}`));
        // The editor was first; its save is what the next turn finds.
        await turn.catch((error) => expect(error).toMatchObject({ code: "ETAG_MISMATCH" }));
      }
    } finally {
      child.kill("SIGKILL");
    }
    expect(await closed).toEqual([0, null]);
    known.add(etagOf(Buffer.from(world.text("note.md"))));
    const made = (await said).trim().split("\n");
    expect(made).toHaveLength(saves);
    expect(made.filter((content) => !known.has(etagOf(Buffer.from(content))))).toEqual([]);
    expect(world.everything()).toEqual(["Folder", "Folder/deep.md", "note.md"]);
  },
  60_000 + saves * 100,
);

test("a note that a killed writer left out of its place is back with the next start", async () => {
  const { root } = world.vault;
  const args = [dyingWriter, root, world.stateFolder, "Folder/deep.md", etagOf(Buffer.from("deep"))];
  expect(spawnSync(process.execPath, args, { stdio: "inherit" }).signal).toBe("SIGKILL");
  expect(world.everything()).not.toContain("Folder/deep.md");
  const next = world.another();
  expect(next.isUnfinished).toBe(true);
  await next.exclusively(signal, async () => {});
  expect(world.text("Folder/deep.md")).toBe("deep");
  expect(world.reports).toEqual(['put "Folder/deep.md" back in its place']);
  expect(world.everything()).toEqual(["Folder", "Folder/deep.md", "note.md"]);
  expect(next.isUnfinished).toBe(false);
});

test("what an editor saved since in the place of such a note stays", async () => {
  const { root } = world.vault;
  const args = [dyingWriter, root, world.stateFolder, "Folder/deep.md", etagOf(Buffer.from("deep"))];
  expect(spawnSync(process.execPath, args, { stdio: "inherit" }).signal).toBe("SIGKILL");
  world.vault.write("Folder/deep.md", "theirs");
  await world.another().exclusively(signal, async () => {});
  expect(world.text("Folder/deep.md")).toBe("theirs");
  expect(world.everything()).toEqual(["Folder", "Folder/deep.md", "note.md"]);
});
