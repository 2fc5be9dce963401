import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { nodeBinaries } from "@mcp-file-servers/core/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Database, type EngineName, openDatabase } from "../src/index.ts";
import { bundleScript } from "../src/testing/index.ts";
import { engines } from "./engines.ts";

const binaries = nodeBinaries(process);
/** What children can run: each binary here with each engine that it has. */
const runners = binaries.flatMap(({ name, path }): { name: string; path: string; engine: EngineName }[] =>
  (name === "Node 24" ? (["node:sqlite", "libsql"] as const) : engines).map((engine) => ({
    name,
    path,
    engine,
  })),
);
const mixed = new Set(runners.map(({ engine }) => engine)).size > 1;

let scripts: string;
let writer: string;
let folder: string;
let path: string;
let database: Database;

beforeAll(async () => {
  scripts = await mkdtemp(join(tmpdir(), "sqlite-scripts-"));
  writer = await bundleScript(new URL("children/writer.ts", import.meta.url), scripts);
});

afterAll(() => rm(scripts, { recursive: true }));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sqlite-processes-"));
  path = join(folder, "test.db");
  database = await openDatabase(path, { synchronous: "FULL" });
  await database.write(({ exec }) =>
    exec(`CREATE TABLE entry (position INTEGER PRIMARY KEY, writer TEXT, number INTEGER, UNIQUE (writer, number));
      CREATE TABLE total (entries INTEGER); INSERT INTO total VALUES (0)`),
  );
});

afterEach(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

/** Starts one writer; `acknowledged` collects what it said is committed. */
function start(
  index: number,
  count: number,
): { child: ChildProcess; acknowledged: number[]; errors: string[] } {
  const runner = runners[index % runners.length];
  if (runner === undefined) throw new Error("no runner");
  const child = spawn(runner.path, [writer, path, runner.engine, `w${index}`, String(count)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const acknowledged: number[] = [];
  const errors: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => acknowledged.push(Number(line)));
  createInterface({ input: child.stderr }).on("line", (line) => errors.push(line));
  return { child, acknowledged, errors };
}

const state = () =>
  database.read(({ all, get }) => ({
    entries: all<{ position: number; writer: string; number: number }>(
      "SELECT * FROM entry ORDER BY position",
    ),
    total: get<{ entries: number }>("SELECT entries FROM total")?.entries,
    integrity: get<{ integrity_check: string }>("PRAGMA integrity_check")?.integrity_check,
  }));

test("the processes of this test run both engines", ({ skip }) => {
  if (!mixed) skip("node 24 is not installed: writers on two engines at once are NOT tested");
  expect(mixed).toBe(true);
});

test("four processes write one database at once: nothing is lost, no lock error comes out", async () => {
  const count = 150;
  const writers = [0, 1, 2, 3].map((index) => start(index, count));
  const exits = await Promise.all(writers.map(({ child }) => once(child, "close")));
  expect(writers.flatMap(({ errors }) => errors.filter((line) => !line.includes("Warning")))).toEqual([]);
  expect(exits).toEqual([0, 1, 2, 3].map(() => [0, null]));
  const { entries, total, integrity } = await state();
  expect(entries.length).toBe(4 * count);
  expect(total).toBe(4 * count);
  expect(entries.map(({ position }) => position)).toEqual(entries.map((_, index) => index + 1));
  expect(integrity).toBe("ok");
}, 60_000);

test("killed in the middle of its work, a process leaves whole transactions and all that it acknowledged", async () => {
  const all = new Map<string, number>();
  for (let round = 0; round < 12; round++) {
    const { child, acknowledged } = start(round, 0);
    // After some commits, so that the kill falls somewhere into the next.
    const enough = 1 + ((round * 7) % 11);
    await new Promise<void>((resolve) => {
      child.stdout?.on("data", () => {
        if (acknowledged.length >= enough) resolve();
      });
    });
    child.kill("SIGKILL");
    await once(child, "close");
    all.set(`w${round}`, acknowledged.length);
    const { entries, total, integrity } = await state();
    expect(total).toBe(entries.length);
    expect(integrity).toBe("ok");
    for (const [name, acknowledgedCount] of all) {
      const kept = entries.filter((entry) => entry.writer === name).map(({ number }) => number);
      // One more may have been committed that there was no time to tell of.
      expect(kept.length - acknowledgedCount).toBeOneOf([0, 1]);
      expect(kept).toEqual(kept.map((_, index) => index + 1));
    }
  }
}, 60_000);
