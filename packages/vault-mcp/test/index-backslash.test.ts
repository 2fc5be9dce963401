import { rmSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { openVault } from "../src/adapters/open-vault.ts";
import { openTools } from "./support/open-tools.ts";
import { temporaryVault } from "./support/temporary-vault.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

it.skipIf(process.platform === "win32")(
  "reads what it lists, whatever backslashes are in the names",
  async () => {
    const vault = temporaryVault({
      "a\\b.md": "literal [[plain]]",
      "s/b.md": "in a folder",
      "s\\b.md": "beside the folder",
      "x\\y/c.md": "in a folder of such a name",
      "plain.md": "plain",
    });
    const tools = openTools(vault.root, { file: `${vault.root}.index/index.sqlite` });
    Object.assign(tools.deps, { place: openVault(vault.root, process.platform).place });
    cleanups.push(
      () => tools.close(),
      vault.dispose,
      () => rmSync(`${vault.root}.index`, { recursive: true, force: true }),
    );

    const { entries } = await tools.call("list_documents");
    const paths: string[] = entries.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(["a\\b.md", "plain.md", "s/b.md", "s\\b.md", "x\\y/c.md"]);
    const texts = [];
    for (const path of paths) texts.push((await tools.call("read_document", { path })).data.content);
    expect(texts).toEqual([
      "literal [[plain]]",
      "plain",
      "in a folder",
      "beside the folder",
      "in a folder of such a name",
    ]);
    const inFolder = await tools.call("list_documents", { folder: "x\\y" });
    expect(inFolder.entries.map(({ path }: { path: string }) => path)).toEqual(["x\\y/c.md"]);
    const links = await tools.call("get_links", { path: "a\\b.md" });
    expect(links.entries).toMatchObject([{ target: "plain.md", exists: true }]);
  },
);
