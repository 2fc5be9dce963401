import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, symlinkSync, truncateSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TemporaryVault, temporaryVault } from "../../test/support/temporary-vault.ts";
import { createVisibility, defaultAttachments } from "../domain/visibility.ts";
import { VaultFiles } from "./vault-files.ts";

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

describe("VaultFiles", () => {
  let outside: TemporaryVault;
  let vault: TemporaryVault;
  let files: VaultFiles;
  const read = (path: string) => files.read(path, path, 1_000);
  const text = async (path: string) => (await read(path))?.bytes?.toString();

  beforeEach(() => {
    outside = temporaryVault({ "v/a.md": "A", "v/s/b.md": "B", "v_secret/f.md": "secret", "s.md": "secret" });
    vault = {
      ...outside,
      root: `${outside.root}/v`,
      write: (path, content) => outside.write(`v/${path}`, content),
    };
    const visibility = createVisibility({ exclude: ["Private"], attachments: defaultAttachments });
    files = new VaultFiles(vault.root, visibility);
  });
  afterEach(() => outside.dispose());

  it("reads a file with what is known of it", async () => {
    vault.write("p.PNG", png);
    expect(await read("p.PNG")).toMatchObject({
      path: "p.PNG",
      kind: "attachment",
      mimeType: "image/png",
      sizeBytes: 8,
    });
    expect((await read("p.PNG"))?.bytes).toEqual(Buffer.from(png));
    expect(await text("s/b.md")).toBe("B");
    expect(readFileSync(`${vault.root}/p.PNG`)).toEqual(Buffer.from(png));
  });

  it("gives no content beyond the size that was asked for", async () => {
    vault.write("big.md", "");
    truncateSync(`${vault.root}/big.md`, 3_000_000_000);
    expect(await read("big.md")).toMatchObject({ sizeBytes: 3_000_000_000, bytes: undefined });
  });

  it.each(["none.md", "s/none.md", "a.md/x.md", "none/x.md", `${"x".repeat(300)}.md`])(
    "has no %s",
    async (path) => {
      expect(await read(path)).toBeUndefined();
    },
  );

  it("compares names in NFC and answers with the disk's spelling", async () => {
    vault.write("Cafe\u0301/Ru\u0308be.md", "nfd");
    vault.write("Caf\u00e9 2/x.md", "nfc");
    expect((await read("Caf\u00e9/R\u00fcbe.md"))?.path).toBe("Cafe\u0301/Ru\u0308be.md");
    expect((await read("Cafe\u0301 2/x.md"))?.path).toBe("Caf\u00e9 2/x.md");
  });

  it("reads through links inside the vault and names the file that they lead to", async () => {
    symlinkSync("s/b.md", `${vault.root}/l.md`);
    symlinkSync("s", `${vault.root}/d`);
    expect(await read("l.md")).toMatchObject({ path: "s/b.md" });
    expect(await read("d/b.md")).toMatchObject({ path: "s/b.md" });
  });

  it.each([
    ["to a file outside", "../s.md", "l.md", "l.md"],
    ["to a folder outside", "..", "l", "l/s.md"],
    ["to a folder whose name begins alike", "../v_secret", "l", "l/f.md"],
    ["by an absolute path", "/etc/hostname", "l.md", "l.md"],
    ["to nothing", "nowhere.md", "l.md", "l.md"],
    ["to nothing outside", "../../nowhere.md", "l.md", "l.md"],
    ["to itself", "l.md", "l.md", "l.md"],
  ])("refuses a link %s", async (_what, target, link, path) => {
    symlinkSync(target, `${vault.root}/${link}`);
    await expect(read(path)).rejects.toMatchObject({ code: "PATH_OUTSIDE_VAULT", details: { path } });
  });

  it("says the same whether a file outside is there or not", async () => {
    symlinkSync("..", `${vault.root}/l`);
    const reason = async (path: string) => (await read(path).catch((error) => error)).code;
    expect(await reason("l/s.md")).toBe("PATH_OUTSIDE_VAULT");
    expect(await reason("l/v_secret/f.md")).toBe("PATH_OUTSIDE_VAULT");
  });

  it("ends in a circle of folders", async () => {
    symlinkSync(".", `${vault.root}/loop`);
    expect(await read("loop/loop/loop/a.md")).toMatchObject({ path: "a.md" });
  });

  it("keeps hidden files hidden, also behind links and in other case", async () => {
    vault.write(".obsidian/app.json", "{}");
    vault.write("Private/x.md", "x");
    symlinkSync(".obsidian/app.json", `${vault.root}/l.json`);
    symlinkSync("Private", `${vault.root}/open`);
    for (const path of [
      ".env",
      ".obsidian/app.json",
      ".OBSIDIAN/app.json",
      "Private/x.md",
      "l.json",
      "open/x.md",
    ]) {
      await expect(read(path)).rejects.toMatchObject({ code: "PATH_HIDDEN", details: { path } });
    }
  });

  it("refuses what is no file, without hanging on a pipe", async () => {
    execFileSync("mkfifo", [`${vault.root}/pipe.md`]);
    mkdirSync(`${vault.root}/folder.md`);
    await expect(read("pipe.md")).rejects.toMatchObject({ code: "NOT_A_FILE" });
    await expect(read("folder.md")).rejects.toMatchObject({
      code: "NOT_A_FILE",
      details: { what: "a folder" },
    });
    await expect(read("")).rejects.toMatchObject({ code: "NOT_A_FILE" });
  });

  it("refuses kinds that are not served, and names those that are", async () => {
    vault.write("x.exe", "MZ");
    const served = expect.arrayContaining(["pdf", "canvas"]);
    await expect(read("x.exe")).rejects.toMatchObject({ code: "KIND_NOT_SERVED", details: { served } });
  });

  it("tells a vault that is gone from a file that is missing", async () => {
    renameSync(vault.root, `${outside.root}/moved`);
    await expect(read("a.md")).rejects.toMatchObject({ code: "VAULT_UNREADABLE", details: { path: "" } });
  });
});
