import { afterEach, expect, it } from "vitest";
import { type TemporaryVault, temporaryVault } from "../../test/support/temporary-vault.ts";
import { createVisibility } from "../domain/visibility.ts";
import { DiskMirror } from "./disk-mirror.ts";
import { DocumentStore } from "./document-store.ts";
import { MemoryIndex } from "./memory-index.ts";
import { createYamlParser } from "./yaml-frontmatter.ts";

let vault: TemporaryVault;
let index: MemoryIndex;
afterEach(async () => {
  await index.close();
  vault.dispose();
});

it("looks at the vault again and again when it cannot be watched, and says so once", async () => {
  vault = temporaryVault({ "a.md": "" });
  const visibility = createVisibility({ exclude: [], attachments: [] });
  const now = () => new Date();
  const store = new DocumentStore("off", now);
  const place = { root: vault.root, visibility, warn: () => {} };
  const warnings: string[] = [];
  const limit = new Error("ENOSPC: System limit for number of file watchers reached");
  index = new MemoryIndex(
    async () => ({
      store,
      mirror: new DiskMirror(place, store, createYamlParser(), now),
      watch: async (events) => {
        events.failed(limit);
        return { follow: () => {}, end: async () => {} };
      },
    }),
    { watch: "auto", warn: (message, error) => warnings.push(`${message}: ${(error as Error).message}`) },
  );
  await index.ready(10_000, new AbortController().signal);
  const seen = new Promise<readonly string[]>((resolve) => {
    index.subscribe(({ paths }) => resolve(paths));
  });
  vault.write("b.md", "");
  expect(await seen).toEqual(["b.md"]);
  expect(warnings).toEqual([
    `cannot watch the vault for changes; looking at it again and again instead: ${limit.message}`,
  ]);
});
