import { expect, it } from "vitest";
import { keeperHere } from "../../../../test/support/keeper-here.ts";
import { openIndex } from "../../../../test/support/open-index.ts";
import { temporaryVault } from "../../../../test/support/temporary-vault.ts";
import type { WatchEvents } from "../../folder-watch.ts";
import type { FromKeeper, StartKeeper } from "../keeper-messages.ts";
import type { OpenWatch } from "./open-watch.ts";

const { signal } = new AbortController();

/** What Promise.withResolvers gives, which Node 20 does not have. */
function later<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

it("has nothing pending for events of what is in the index already, such as what a tool wrote", async () => {
  const vault = temporaryVault({ "a.md": "old" });
  const opened = later<WatchEvents>();
  // Events come when the test says so.
  const watch: OpenWatch = async (_place, _isLarge, _folders, events) => {
    opened.resolve(events);
    return { watch: { follow: () => {}, end: async () => {} }, kind: "chokidar", hasFailed: () => false };
  };
  const pending: number[] = [];
  const over = later<void>();
  const note = (message: FromKeeper) => {
    if (message.kind !== "state" || message.state.pending === (pending.at(-1) ?? 0)) return;
    pending.push(message.state.pending);
    if (message.state.pending === 0) over.resolve();
  };
  const keeper = keeperHere(() => new Date(), watch);
  const startKeeper: StartKeeper = (settings, events) =>
    keeper(settings, {
      ...events,
      message(message) {
        note(message);
        events.message(message);
      },
    });
  const { index, paths } = openIndex(vault.root, { watch: "auto", startKeeper });
  await index.ready(10_000, signal);
  const { changed } = await opened.promise;
  vault.write("a.md", "new");
  vault.write("New/b.md", "new");
  await index.refresh(["a.md", "New/b.md"], 10_000, signal);
  changed(["a.md"]);
  changed(["New", "New/b.md"]);
  await index.settle(10_000, signal);
  vault.write("New/c.md", "by another");
  changed(["New"]);
  await over.promise;
  expect(await paths()).toEqual(["New/b.md", "New/c.md", "a.md"]);
  expect(pending).toEqual([1, 0]);
  await index.close();
  vault.dispose();
});
