import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { nodeBinaries, type RawServer, startRawServer } from "@mcp-file-servers/core/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readAll } from "../src/domain/read-window.ts";
import type { FileStore } from "../src/domain/store.ts";
import { openStore } from "./world.ts";

const bin = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const nodes = nodeBinaries(process);
const app = "notes";
const atOnce = 5;

/** Rounds, each with as many kills; a slow machine ends sooner, but not before a third of them. */
const rounds = 30;
const period = 45_000;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "app-files-kill-changes-"));
});

afterEach(() => rm(folder, { recursive: true }));

/** What a worker's own folder holds: the content of each path. */
type Files = ReadonlyMap<string, string>;

interface Step {
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly after: Files;
}

/** Works in a folder of its own, one call after the other, and knows what must be there. */
class Worker {
  readonly prefix: string;
  files: Files = new Map();
  /** The call that is under way: done or not done, nobody knows. */
  pending: Step | undefined;
  /** States that were acknowledged, each with its files_version. */
  readonly #past: { readonly filesVersion: number; readonly files: Files }[] = [];
  /** What each path held when it went. */
  readonly #gone = new Map<string, string>();
  #seed: number;

  constructor(n: number) {
    this.prefix = `w${n}/`;
    this.#seed = n + 1;
  }

  #pick(below: number): number {
    this.#seed = (Math.imul(this.#seed, 1_103_515_245) + 12_345) >>> 0;
    return (this.#seed >>> 8) % below;
  }

  #next(): Step {
    const names = [...this.files.keys()];
    const path = `${this.prefix}f${this.#pick(6)}`;
    const [from] = names.slice(this.#pick(Math.max(names.length, 1)));
    const content = from === undefined ? undefined : this.files.get(from);
    const kind = this.#pick(10);
    if (kind < 2 && from !== undefined && content !== undefined && from !== path) {
      const after = new Map(this.files).set(path, content);
      if (kind === 0) after.delete(from);
      const args = { path: from, new_path: path, overwrite: true };
      return { tool: kind === 0 ? "file_move" : "file_copy", args, after };
    }
    if (kind < 4 && from !== undefined) {
      const after = new Map(this.files);
      after.delete(from);
      return { tool: "file_delete", args: { path: from }, after };
    }
    const [lost] = [...this.#gone].filter(([each]) => !this.files.has(each));
    if (kind === 4 && lost !== undefined) {
      return { tool: "file_restore", args: { path: lost[0] }, after: new Map(this.files).set(...lost) };
    }
    const past = this.#past[this.#pick(Math.max(this.#past.length, 1))];
    if (kind === 5 && past !== undefined) {
      const args = { prefix: this.prefix, as_of: past.filesVersion };
      return { tool: "file_restore", args, after: past.files };
    }
    if (kind === 6 && names.length > 0) {
      const args = { prefix: this.prefix, expected_count: names.length };
      return { tool: "file_delete", args, after: new Map() };
    }
    const sizes = [20, 2_000, 40_000, 70_000];
    const text = `${this.prefix}${this.#pick(1_000_000)} `.padEnd(sizes[this.#pick(4)] ?? 1, "x");
    return { tool: "file_write", args: { path, text }, after: new Map(this.files).set(path, text) };
  }

  async step(call: Call): Promise<void> {
    const step = this.#next();
    this.pending = step;
    const { files_version } = await call(step.tool, { app, ...step.args });
    this.settle(step.after);
    this.#past.push({ filesVersion: Number(files_version), files: this.files });
  }

  settle(files: Files): void {
    for (const [path, text] of this.files) if (!files.has(path)) this.#gone.set(path, text);
    this.files = files;
    this.pending = undefined;
  }
}

type Call = (name: string, args: object) => Promise<Record<string, unknown>>;

function callerOf(server: RawServer): Call {
  return async (name, args) => {
    const { result, error } = await server.request("tools/call", { name, arguments: args });
    const { isError, structuredContent, content } = (result ?? {}) as Record<string, unknown>;
    if (error !== undefined || isError === true)
      throw new Error(JSON.stringify([name, args, error ?? content]));
    return structuredContent as Record<string, unknown>;
  };
}

async function filesBelow(store: FileStore, prefix: string): Promise<Files> {
  const view = { kind: "files", sort: "path", order: "asc", folders: false } as const;
  const { entries } = await store.list({ app, filter: { prefix }, view, limit: 1_000 });
  const files = new Map<string, string>();
  for (const { position } of entries) {
    const content = await store.open(app, position.path);
    files.set(position.path, Buffer.from(await readAll(content)).toString());
  }
  return files;
}

const isSame = (a: Files, b: Files) =>
  a.size === b.size && [...a].every(([path, text]) => b.get(path) === text);

test("killed at any moment among writes, moves, deletions and restores, nothing acknowledged is lost or undone", async () => {
  const workers = Array.from({ length: atOnce }, (_, n) => new Worker(n));
  let kills = 0;
  let underWay = 0;
  const end = Date.now() + period;
  let round = 0;
  for (; round < rounds && (round < rounds / 3 || Date.now() < end); round++) {
    const servers = workers.map((_, n) => {
      const node = nodes[(round + n) % nodes.length]?.path ?? process.execPath;
      return startRawServer({ bin, args: ["--data", folder, "--keep-versions", "1000"], node });
    });
    await Promise.all(servers.map((server) => server.initialize()));
    const collector = openStore(folder);
    let collecting = true;
    const collected = (async () => {
      while (collecting) await collector.maintain();
    })();

    const failures: unknown[] = [];
    let answers = 0;
    let enough = 3 + ((round * 11) % 31);
    let next = 0;
    await Promise.all(
      workers.map(async (worker, n) => {
        const server = servers[n] as RawServer;
        const call = callerOf(server);
        // All of them on one file as well: who comes first is open, that somebody does is not.
        const shared = async () => {
          for (let i = 0; ; i++) await call("file_write", { app, path: "shared", text: `${n} ${i}` });
        };
        const own = async () => {
          while (true) {
            await worker.step(call);
            answers += 1;
            if (answers < enough) continue;
            // One after the other, while the others go on.
            enough += 2;
            servers[next++ % atOnce]?.kill("SIGKILL");
            kills += 1;
          }
        };
        await Promise.all(
          [own(), shared()].map((work) => work.catch((error: unknown) => failures.push(error))),
        );
      }),
    );
    await Promise.all(servers.map((server) => server.exited));
    collecting = false;
    await collected;
    // What a killed server did not answer is no failure of it; what it refused is.
    expect(failures.filter((error) => !/exit|closed|ended/i.test(String(error)))).toEqual([]);

    const { damaged, database, repaired } = await collector.check();
    const wrong = repaired.filter((what) => !what.includes("files of contents that nothing needs"));
    expect({ damaged, database, wrong }).toEqual({ damaged: [], database: [], wrong: [] });
    for (const worker of workers) {
      const found = await filesBelow(collector, worker.prefix);
      const { pending } = worker;
      if (pending !== undefined) underWay += 1;
      // Killed between the commit and its answer, the call is done all the same.
      if (pending !== undefined && !isSame(found, worker.files)) worker.settle(pending.after);
      else worker.pending = undefined;
      expect([...found].sort()).toEqual([...worker.files].sort());
    }
    collector.close();
  }
  expect(kills).toBeGreaterThanOrEqual(atOnce * round);
  // Each kill came while a call was under way, or the test would look at nothing hard.
  expect(underWay).toBe(atOnce * round);
}, 240_000);
