import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bundleScript } from "@mcp-file-servers/sqlite/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type TemporaryWriter, temporaryWriter } from "./support/temporary-writer.ts";

/** More of them by `VAULT_MCP_KILLS`, for a longer look than a test run has time for. */
const kills = Number(process.env.VAULT_MCP_KILLS ?? 120);
let scripts: string;
let script: string;
let world: TemporaryWriter;

beforeAll(async () => {
  scripts = mkdtempSync(join(tmpdir(), "vault-mcp-scripts-"));
  script = await bundleScript(new URL("children/busy-writer.ts", import.meta.url), scripts);
});

afterAll(() => rmSync(scripts, { recursive: true }));

beforeEach(() => {
  world = temporaryWriter();
});

afterEach(() => world.dispose());

function isWhole(bytes: Buffer): boolean {
  const line = bytes.indexOf("\n");
  return (
    createHash("sha256")
      .update(bytes.subarray(line + 1))
      .digest("hex") === bytes.subarray(0, line).toString()
  );
}

/** The files of a folder, those of the trash too. */
function files(): string[] {
  return readdirSync(world.vault.root, { recursive: true })
    .map(String)
    .filter((path) => statSync(join(world.vault.root, path)).isFile());
}

test(
  "killed at any instant, a writer leaves whole notes and nothing that a listing shows",
  async () => {
    let midway = 0;
    // Goes on until enough kills have come in the middle of a write, however fast the disk is.
    for (let round = 1; round <= kills || (midway <= 5 && round <= 10 * kills); round += 1) {
      const child = spawn(
        process.execPath,
        [script, world.vault.root, world.stateFolder, String(round * 7919)],
        {
          stdio: ["ignore", "pipe", "inherit"],
        },
      );
      const closed = once(child, "close");
      await Promise.race([once(child.stdout, "data"), closed]);
      // An instant of its own in each round; nothing is expected to be done by then.
      await sleep((round * 13) % 29);
      child.kill("SIGKILL");
      expect(await closed).toEqual([null, "SIGKILL"]);
      const found = files();
      const temporary = found.filter((path) => path.includes(".vault-mcp-"));
      midway += temporary.length > 0 ? 1 : 0;
      for (const path of found.filter((name) => name.endsWith(".md"))) {
        const bytes = readFileSync(join(world.vault.root, path));
        // A name that was claimed in the trash may be there without its file; the note is then still in its place.
        const isClaim = path.startsWith(".trash/") && bytes.length === 0;
        expect(isClaim || isWhole(bytes), path).toBe(true);
      }
      for (const path of found.filter((name) => !name.endsWith(".md")))
        expect(path).toMatch(/(?:^|\/)\.vault-mcp-/);
    }
    // Otherwise the kills came too early or too late to prove anything.
    expect(midway).toBeGreaterThan(5);
    await world.writer.exclusively(new AbortController().signal, async () => {});
    expect(files().filter((path) => path.includes(".vault-mcp-"))).toEqual([]);
    expect(readdirSync(join(world.stateFolder, "temporary"))).toEqual([]);
  },
  120_000 + kills * 1_000,
);
