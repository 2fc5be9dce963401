import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { nodeBinaries, type RawServer, startRawServer } from "@mcp-file-servers/core/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { describeContent } from "../src/domain/content.ts";
import { readAll } from "../src/domain/read-window.ts";
import type { FileStore } from "../src/domain/store.ts";
import { openStore } from "./world.ts";

const bin = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const nodes = nodeBinaries(process);
const app = "notes";
const atOnce = 4;

/** Milliseconds in which rounds are begun; each ends with kills. */
const period = 15_000;
const fewestRounds = 8;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "app-files-kill-uploads-"));
});

afterEach(() => rm(folder, { recursive: true }));

/** An upload as its sender knows it. */
interface Sent {
  readonly path: string;
  readonly chunks: readonly Buffer[];
  id: string | undefined;
  readonly acknowledged: Set<number>;
  committed: boolean;
}

/** Chunks of every kind of storage; some are the same in all uploads, so that contents are shared and given up. */
function newUpload(n: number): Sent {
  const sizes = [40_000, 300, 100_000, 33_000, 270_000];
  const chunks = sizes.map((size, seq) =>
    Buffer.alloc(size, seq % 2 === 0 ? `${n} ${seq} ` : `shared ${seq} `),
  );
  return { path: `f${n % 6}`, chunks, id: undefined, acknowledged: new Set(), committed: false };
}

type Call = (name: string, args: object) => Promise<Record<string, unknown>>;

function callerOf(server: RawServer): Call {
  return async (name, args) => {
    const { result, error } = await server.request("tools/call", { name, arguments: args });
    const { isError, structuredContent, content } = (result ?? {}) as Record<string, unknown>;
    if (error !== undefined || isError === true) throw new Error(JSON.stringify(error ?? content));
    return structuredContent as Record<string, unknown>;
  };
}

/** Goes on with an upload wherever it stands, through any of the servers. */
async function goOn(sent: Sent, call: Call, answered: () => void): Promise<void> {
  const size = sent.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (sent.id === undefined) {
    sent.id = String((await call("file_write_begin", { app, size })).upload_id);
    answered();
  }
  const upload_id = sent.id;
  // Also one that was acknowledged before: it must be again. Not when the commit may have been carried out already,
  // whose repetition gets the receipt.
  const isWhole = sent.acknowledged.size === sent.chunks.length;
  const wanted = [...sent.chunks.keys()]
    .filter((seq) => !sent.acknowledged.has(seq) || (seq === 2 && !isWhole))
    .reverse();
  await Promise.all(
    wanted.map(async (seq) => {
      const data_base64 = sent.chunks[seq]?.toString("base64");
      await call("file_write_chunk", { upload_id, seq, data_base64 });
      sent.acknowledged.add(seq);
      answered();
    }),
  );
  await call("file_write_commit", { upload_id, path: sent.path, size, command_id: `commit ${sent.id}` });
  sent.committed = true;
  answered();
}

/** Everything that was acknowledged is there, and the store is sound but for files that nothing needs. */
async function verify(store: FileStore, uploads: readonly Sent[]): Promise<void> {
  const { damaged, damagedChunks, database, repaired } = await store.check();
  const wrong = repaired.filter((what) => !what.includes("files of contents that nothing needs"));
  expect({ damaged, damagedChunks, database, wrong }).toEqual({
    ...{ damaged: [], damagedChunks: [], database: [], wrong: [] },
  });
  for (const { id, acknowledged, committed, chunks } of uploads) {
    if (id === undefined || committed) continue;
    const parts = await store.uploads.parts(id);
    // A commit may have happened whose answer was lost; then there is a receipt, and no upload.
    if (parts.length === 0 && acknowledged.size === chunks.length) continue;
    expect(parts.map(({ seq }) => seq)).toEqual(expect.arrayContaining([...acknowledged]));
    for (const part of parts)
      expect(part.sha256).toBe(describeContent(chunks[part.seq] ?? Buffer.of()).sha256);
  }
}

test("uploads go on in another process after any kill, beside a collector, and lose nothing", async () => {
  const end = Date.now() + period;
  let count = 0;
  let committed = 0;
  let uploads = Array.from({ length: atOnce }, () => newUpload(count++));

  for (let round = 0; round < fewestRounds || Date.now() < end; round++) {
    const servers = [0, 1].map((n) => {
      const node = nodes[(round + n) % nodes.length]?.path ?? process.execPath;
      return startRawServer({ bin, args: ["--data", folder, "--keep-versions", "2"], node });
    });
    await Promise.all(servers.map((server) => server.initialize()));
    const collector = openStore(folder);
    let collecting = true;
    const collected = (async () => {
      while (collecting) await collector.maintain();
    })();

    const enough = 1 + ((round * 7) % 20);
    let answers = 0;
    const failures: unknown[] = [];
    await new Promise<void>((resolve) => {
      const answered = () => {
        answers += 1;
        if (answers === enough) resolve();
      };
      const all = uploads.map((sent, n) => goOn(sent, callerOf(servers[n % 2] as RawServer), answered));
      for (const each of all) each.catch((error: unknown) => failures.push(error));
      Promise.allSettled(all).then(() => resolve());
    });
    for (const server of servers) server.kill("SIGKILL");
    await Promise.all(servers.map((server) => server.exited));
    collecting = false;
    await collected;
    // What a killed server did not answer is no failure of it; what it refused is.
    expect(failures.filter((error) => !/exit|closed|ended/i.test(String(error)))).toEqual([]);

    await verify(collector, uploads);
    for (const sent of uploads.filter((each) => each.committed)) {
      committed += 1;
      const whole = Buffer.concat(sent.chunks);
      const versions = await collector.history({ app, path: sent.path, limit: 100 });
      const { sha256 } = describeContent(whole);
      const mine = versions.entries.find((entry) => entry.sha256 === sha256);
      expect(mine).toBeDefined();
      const content = await collector.open(app, sent.path, mine?.version);
      expect(Buffer.from(await readAll(content)).equals(whole)).toBe(true);
    }
    collector.close();
    uploads = uploads.map((sent) => (sent.committed ? newUpload(count++) : sent));
  }
  expect(committed).toBeGreaterThan(0);
}, 120_000);
