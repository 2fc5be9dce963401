import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { nodeBinaries, startRawServer } from "@mcp-file-servers/core/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { describeContent } from "../src/domain/content.ts";
import { readAll } from "../src/domain/read-window.ts";
import { openStore } from "./world.ts";

const bin = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const nodes = nodeBinaries(process);
const app = "notes";
const rounds = 30;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "app-files-kill-"));
});

afterEach(() => rm(folder, { recursive: true }));

/** What was sent for a path, by version; and the last version that was acknowledged. */
interface Sent {
  readonly contents: string[];
  acknowledged: number;
}

test("killed at any moment, a server has lost nothing that it acknowledged, and shows nothing half-written", async () => {
  const sent = new Map<string, Sent>();
  let count = 0;

  for (let round = 0; round < rounds; round++) {
    const node = nodes[round % nodes.length] ?? nodes[0];
    if (node === undefined) throw new Error("no node");
    const server = startRawServer({ bin, args: ["--data", folder], node: node.path });
    await server.initialize();
    // The kill comes after some answers, with more writes under way: into a commit, a rename, an fsync.
    const enough = 2 + ((round * 5) % 9);
    let answered = 0;
    let kill = () => {};
    const killed = new Promise<void>((resolve) => {
      kill = resolve;
    });
    const writes = Array.from({ length: enough + 6 }, async () => {
      const n = count++;
      const path = `f${n % 7}`;
      const text = `${n}:`.padEnd([20, 1_000, 40_000, 300_000][n % 4] ?? 1, String(n % 10));
      const file = sent.get(path) ?? { contents: [], acknowledged: 0 };
      sent.set(path, file);
      file.contents.push(text);
      const { result } = await server.request("tools/call", {
        name: "file_write",
        arguments: { app, path, text },
      });
      const { version } = (result as { structuredContent: { version: number } }).structuredContent;
      file.acknowledged = Math.max(file.acknowledged, version);
      if (++answered === enough) kill();
    });
    for (const write of writes) write.catch(() => {});
    await killed;
    server.kill("SIGKILL");
    await server.exited;

    const store = openStore(folder);
    const { entries, usage, filesVersion } = await store.list({
      app,
      filter: {},
      view: { kind: "files", sort: "path", order: "asc", folders: false },
      limit: 100,
    });
    const records = entries.flatMap(({ entry }) => (entry.kind === "file" ? [entry.file] : []));
    for (const [path, { acknowledged }] of sent) {
      const record = records.find((each) => each.path === path);
      if (acknowledged > 0) expect(record?.version).toBeGreaterThanOrEqual(acknowledged);
    }
    for (const record of records) {
      const bytes = await readAll(await store.open(app, record.path));
      expect(describeContent(bytes).sha256).toBe(record.sha256);
      expect(sent.get(record.path)?.contents).toContain(Buffer.from(bytes).toString());
    }
    expect(usage.count).toBe(records.length);
    expect(usage.bytes).toBe(records.reduce((sum, { size }) => sum + size, 0));
    expect(filesVersion).toBe(records.reduce((sum, { version }) => sum + version, 0));
    for (let pass = 0; pass < 32; pass++) await store.maintain();
    for (const { path } of records) await readAll(await store.open(app, path));
    store.close();
  }
}, 120_000);
