import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type TemporaryVault, temporaryVault } from "./support/temporary-vault.ts";

let vault: TemporaryVault;
let folder: string;

beforeEach(() => {
  vault = temporaryVault({ "a.md": "# A" });
  folder = mkdtempSync(join(tmpdir(), "vault-mcp-start-"));
  // A place without packages around it.
  cpSync(fileURLToPath(new URL("../dist", import.meta.url)), join(folder, "dist"), { recursive: true });
});
afterEach(() => {
  vault.dispose();
  rmSync(folder, { recursive: true, force: true });
});

it.each([
  ["stdio", []],
  ["--read-only", ["--read-only"]],
  ["--http", ["--http", "127.0.0.1:0"]],
  ["check", ["check"]],
])("without SQLite the start of %s ends with one line that names the two ways out", (_mode, args) => {
  const line = [join(folder, "dist/main.js"), ...args, vault.root];
  // Package managers let their programs find packages by NODE_PATH.
  const { NODE_PATH, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, line, {
    env: { ...env, XDG_CACHE_HOME: join(folder, "cache"), XDG_STATE_HOME: join(folder, "state") },
    encoding: "utf8",
    input: "",
    timeout: 20_000,
  });
  if (isBuiltin("node:sqlite")) {
    expect(stderr).not.toContain("has no SQLite");
    return;
  }
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toMatch(
    /^vault-mcp: [^\n]*Node 22\.13 or newer, or npx -y -p libsql@0\.5 -p vault-mcp [^\n]*\n$/,
  );
  expect(readdirSync(folder)).toEqual(["dist"]);
});
