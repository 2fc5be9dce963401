import { afterEach, describe, expect, test } from "vitest";
import { displayName } from "../src/domain/raw-name.ts";
import { KeptStates } from "../src/domain/watching/kept-states.ts";
import { readWatchCursor, writeWatchCursor } from "../src/domain/watching/watch-cursor.ts";
import { type WatchRequest, watchPath } from "../src/domain/watching/watch-path.ts";
import { describeScripted, openPool } from "./open-pool.ts";
import { startScriptedTarget } from "./scripted-target/start-scripted-target.ts";
import { directory, file, type Node } from "./scripted-target/tree.ts";

const signal = new AbortController().signal;
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

type Files = Readonly<Record<string, Node>>;

/** A target whose /d holds, before each look, what `script` says; time passes only while the watch sleeps. */
async function arrange(script: readonly Files[]) {
  const root = (files: Files): Node => directory({ d: directory(files) });
  const target = await startScriptedTarget({ root: root(script[0] ?? {}) });
  ends.push(target.close);
  const { pool, close } = await openPool(
    { targets: { tb: describeScripted(target, { read_roots: ["/d"] }) } },
    { env: { PASSWORD: target.password } },
  );
  ends.push(close);
  const place = await pool.open("tb", signal);
  const states = new KeptStates();
  let time = 0;
  let step = 0;
  const told: string[] = [];
  async function watch(request: Partial<WatchRequest> = {}, lost = false) {
    const outcome = await watchPath(
      place,
      { path: "/d", pattern: undefined, timeoutMs: 10_000, since: undefined, ...request },
      {
        states: lost ? new KeptStates() : states,
        now: () => time,
        sleep: async (ms, stopped) => {
          stopped.throwIfAborted();
          time += ms;
          step++;
          const now = script[step];
          if (now !== undefined) target.replaceRoot(root(now));
        },
        progress: (ms, message) => told.push(`${ms} ${message}`),
      },
      signal,
    );
    const names = (entries: typeof outcome.entries): string[] =>
      entries.map(({ name }) => displayName(name).text);
    return { ...outcome, names: names(outcome.entries), growing: names(outcome.growing) };
  }
  return { target, watch, told, setFiles: (files: Files) => target.replaceRoot(root(files)) };
}

const old = { "old.core": file(5, { mtime: 100 }) };

describe("a watch", () => {
  test("ends at the first new entry that has stopped growing", async () => {
    const core = (size: number): Files => ({ ...old, "app.core": file(size, { mtime: 200 + size }) });
    const { watch, told } = await arrange([old, old, core(1), core(2), core(3), core(3), core(3)]);
    expect(await watch()).toMatchObject({ names: ["app.core"], growing: [], waitedMs: 6_000, single: false });
    expect(told.slice(0, 3)).toEqual([
      "0 nothing new yet",
      "1000 nothing new yet",
      "2000 1 new or changed, waiting for the end",
    ]);
  });

  test("tells that nothing came, and misses nothing until the next call", async () => {
    const { watch, setFiles } = await arrange([old]);
    const first = await watch();
    expect(first).toMatchObject({ names: [], growing: [], waitedMs: 10_000 });
    setFiles({ ...old, "app.core": file(9, { mtime: 50 }) });
    const second = await watch({ since: first.memory });
    expect(second).toMatchObject({ names: ["app.core"], waitedMs: 2_000, stateLost: false });
    expect(await watch({ since: second.memory })).toMatchObject({ names: [] });
  });

  test("tells what still grows at the end, and again once it is done", async () => {
    const grown = Array.from({ length: 40 }, (_, size) => ({
      ...old,
      "a.core": file(size, { mtime: 200 + size }),
    }));
    const { watch, setFiles } = await arrange([old, ...grown.slice(1, 11)]);
    const first = await watch();
    expect(first).toMatchObject({ names: [], growing: ["a.core"] });
    setFiles(grown[20] as Files);
    expect(await watch({ since: first.memory })).toMatchObject({ names: ["a.core"], growing: [] });
  });

  test("goes by time where what was seen is forgotten, as after a restart", async () => {
    const { watch, setFiles } = await arrange([old]);
    const first = await watch({ timeoutMs: 1_000 });
    setFiles({ ...old, "new.core": file(1, { mtime: 101 }), "older.core": file(1, { mtime: 99 }) });
    expect(await watch({ since: first.memory }, true)).toMatchObject({
      names: ["new.core"],
      stateLost: true,
    });
  });

  test("looks at names that match alone", async () => {
    const { watch } = await arrange([old, { ...old, "x.txt": file(1), "b.core": file(1, { mtime: 300 }) }]);
    expect((await watch({ pattern: "*.core" })).names).toEqual(["b.core"]);
  });

  test("waits for one file, also for one that is not there yet", async () => {
    const { watch } = await arrange([old, old, { ...old, app: file(7) }]);
    expect(await watch({ path: "/d/app" })).toMatchObject({
      names: ["app"],
      single: true,
      realPath: "/d/app",
    });
    expect((await watch({ path: "/d/app", timeoutMs: 3_000 })).names).toEqual([]);
  });

  test("keeps to the roots, and needs a directory to wait in", async () => {
    const { watch } = await arrange([old]);
    await expect(watch({ path: "/etc" })).rejects.toMatchObject({ code: "OUTSIDE_ROOTS" });
    await expect(watch({ path: "/d/none/app" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("a watch cursor", () => {
  const thing = { target: "tb", path: "/d", pattern: undefined };
  const memory = { state: "id0", latest: 1_900_000_000 };

  test("serves for what it was made for", () => {
    expect(readWatchCursor(thing, writeWatchCursor(thing, memory))).toEqual(memory);
  });

  test.each([
    ["another path", { ...thing, path: "/e" }, writeWatchCursor(thing, memory)],
    ["another pattern", { ...thing, pattern: "*" }, writeWatchCursor(thing, memory)],
    ["a cut one", thing, writeWatchCursor(thing, memory).slice(0, -4)],
    ["garbage", thing, "garbage"],
    ["nothing", thing, ""],
  ])("is refused for %s", (_what, of, text) => {
    expect(() => readWatchCursor(of, text)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });
});
