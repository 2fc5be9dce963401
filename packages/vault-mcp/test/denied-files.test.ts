import { chmodSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { VaultFiles } from "../src/adapters/vault-files.ts";
import { createVisibility, defaultAttachments } from "../src/domain/visibility.ts";
import { type OpenedIndex, openIndex } from "./support/open-index.ts";
import { type TemporaryVault, temporaryVault } from "./support/temporary-vault.ts";

const nobody = 65_534;

let vault: TemporaryVault;
let opened: OpenedIndex;

beforeEach(() => {
  vault = temporaryVault({ "a.md": "# A", "locked.md": "# Locked", "dir/x.md": "x" });
  chmodSync(vault.root, 0o755);
  opened = openIndex(vault.root);
});
afterEach(async () => {
  await opened.index.close();
  chmodSync(`${vault.root}/dir`, 0o755);
  vault.dispose();
});

/** Runs with the rights of nobody: the superuser may read everything. */
async function unprivileged<Result>(job: () => Promise<Result>): Promise<Result> {
  if (process.getuid?.() !== 0) return job();
  process.seteuid?.(nobody);
  try {
    return await job();
  } finally {
    process.seteuid?.(0);
  }
}

it("lists what can be read, and the rest with the reason or in the log", async () => {
  chmodSync(`${vault.root}/locked.md`, 0);
  chmodSync(`${vault.root}/dir`, 0);
  const { documents } = await unprivileged(() => opened.page());
  expect(
    documents.map(({ document }) => [
      document.path,
      document.kind === "note" && document.parseError?.message,
    ]),
  ).toEqual([
    ["a.md", undefined],
    ["locked.md", "cannot be read: permission denied"],
  ]);
  expect(opened.warnings).toEqual(['left out "dir"']);
});

it("says why a file cannot be read", async () => {
  chmodSync(`${vault.root}/locked.md`, 0);
  chmodSync(`${vault.root}/dir`, 0);
  const files = new VaultFiles(
    vault.root,
    createVisibility({ exclude: [], attachments: defaultAttachments }),
  );
  for (const path of ["locked.md", "dir/x.md"]) {
    await expect(unprivileged(() => files.read(path, path, 1_000))).rejects.toMatchObject({
      code: "VAULT_UNREADABLE",
      details: { path, reason: "permission denied" },
    });
  }
});
