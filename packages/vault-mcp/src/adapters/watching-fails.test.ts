import { expect, it } from "vitest";
import { keeperHere } from "../../test/support/keeper-here.ts";
import { openIndex } from "../../test/support/open-index.ts";
import { temporaryVault } from "../../test/support/temporary-vault.ts";

it("looks at the vault again and again when it cannot be watched, and says so once", async () => {
  const vault = temporaryVault({ "a.md": "" });
  const limit = new Error("ENOSPC: System limit for number of file watchers reached");
  const opened = openIndex(vault.root, {
    watch: "auto",
    startKeeper: keeperHere(
      () => new Date(),
      async (_place, _isLarge, _folders, events) => {
        events.failed(limit);
        return { watch: { follow: () => {}, end: async () => {} }, kind: "chokidar", hasFailed: () => true };
      },
    ),
  });
  const { index, warnings } = opened;
  await index.ready(10_000, new AbortController().signal);
  const seen = new Promise<readonly string[]>((resolve) => {
    index.subscribe(({ paths }) => resolve(paths));
  });
  vault.write("b.md", "");
  expect(await seen).toEqual(["b.md"]);
  expect(index.health().watcher).toBe("polling");
  expect(warnings).toEqual(["cannot watch the vault for changes; looking at it again and again instead"]);
  await index.close();
  vault.dispose();
});
