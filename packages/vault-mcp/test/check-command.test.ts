import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { type TemporaryVault, temporaryVault } from "./support/temporary-vault.ts";

const bin = fileURLToPath(new URL("../dist/main.js", import.meta.url));

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function check(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env } };
    execFile(process.execPath, [bin, "check", ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

describe("vault-mcp check", () => {
  let vault: TemporaryVault;
  afterEach(() => vault.dispose());
  const indexOf = ({ root }: TemporaryVault) => ({ VAULT_INDEX: `${root}.index/index.sqlite` });

  it("lists broken notes and links and exits 1", async () => {
    vault = temporaryVault({
      "a.md": "[[b]] and\n[[Nowhere|some text]]",
      "b.md": '---\nt: "open\n---\nBody',
      "evil\u001b[31m.md": "[x](gone.md)",
    });
    const { code, stdout, stderr } = await check([vault.root], indexOf(vault));
    expect(stderr).toBe("");
    expect(code).toBe(1);
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).toBe("Notes that cannot be parsed: 1");
    expect(lines[1]).toMatch(/^ {2}b\.md:\d+ {2}\S/);
    expect(lines.slice(2)).toEqual([
      "Broken links: 2",
      "  a.md:2  some text -> Nowhere.md",
      "  evil [31m.md:1  x -> gone.md",
      "Checked 3 notes and 0 attachments: 1 broken note, 2 broken links.",
    ]);
  });

  it("exits 0 where nothing is wrong, and leaves the vault as it is", async () => {
    vault = temporaryVault({ "a.md": "[[b]]", "b.md": "", "c.png": "x" });
    const { code, stdout } = await check([], { VAULT_DIR: vault.root, ...indexOf(vault) });
    expect([code, stdout]).toEqual([0, "Checked 2 notes and 1 attachment: nothing is wrong.\n"]);
    expect(readdirSync(vault.root).sort()).toEqual(["a.md", "b.md", "c.png"]);
  });

  it("says in one line what is missing", async () => {
    vault = temporaryVault();
    const { code, stderr } = await check([`${vault.root}/nowhere`], indexOf(vault));
    expect([code, stderr.trim().split("\n").length]).toEqual([2, 1]);
    expect(stderr).toContain("does not exist");
  });
});
