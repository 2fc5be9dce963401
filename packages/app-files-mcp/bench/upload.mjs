/**
 * Moves 250 MiB through the built server in every way that there is and prints one table:
 * `npm run build && node packages/app-files-mcp/bench/upload.mjs`. Memory is the peak of the server's process (Linux).
 */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startRpcServer } from "../../../scripts/rpc-client.mjs";

const bin = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "app-files-upload-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const chunkBytes = 5 * 1024 * 1024;
const chunkCount = 50;
const size = chunkBytes * chunkCount;

/** Bytes that differ from chunk to chunk. @param {number} seq */
function chunkOf(seq) {
  const bytes = Buffer.alloc(chunkBytes);
  for (let at = 0; at < chunkBytes; at += 8) bytes.writeDoubleLE((seq + 1) * 1.1 + at * 1.7, at);
  return bytes;
}

/** The most memory that a process ever had resident, in MB. @param {number} pid */
function peakOf(pid) {
  const [, kilobytes = "0"] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return (Number(kilobytes) * 1024) / 1_000_000;
}

async function start() {
  const server = startRpcServer([
    bin,
    "--data",
    join(folder, "data"),
    "--root",
    folder,
    "--log-level",
    "error",
  ]);
  await server.request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  });
  server.notify("notifications/initialized");
  return {
    ...server,
    /** @param {string} name @param {object} args */
    async call(name, args) {
      const { isError, content, structuredContent } = await server.request("tools/call", {
        name,
        arguments: args,
      });
      if (isError) throw new Error(content[0].text);
      return structuredContent;
    },
  };
}

/** @type {string[]} */
const rows = [];

/** @param {string} what @param {(server: Awaited<ReturnType<typeof start>>) => Promise<void>} work */
async function measure(what, work) {
  const server = await start();
  const begin = performance.now();
  await work(server);
  const seconds = (performance.now() - begin) / 1000;
  const rate = Math.round(size / 1_000_000 / seconds);
  rows.push(`| ${what} | ${seconds.toFixed(1)} s, ${rate} MB/s | ${Math.round(peakOf(server.pid))} MB |`);
  await server.close();
}

const whole = createHash("sha256");
for (let seq = 0; seq < chunkCount; seq++) {
  const bytes = chunkOf(seq);
  whole.update(bytes);
  writeFileSync(join(folder, "local"), bytes, { flag: "a" });
}
const sha256 = whole.digest("hex");

/** @type {string} */
let upload = "";
await measure("upload in chunks of 5 MiB", async ({ call }) => {
  upload = (await call("file_write_begin", { app: "bench", size })).upload_id;
  for (let seq = 0; seq < chunkCount; seq++) {
    await call("file_write_chunk", { upload_id: upload, seq, data_base64: chunkOf(seq).toString("base64") });
  }
});
await measure("its commit, by another process", async ({ call }) => {
  await call("file_write_commit", { upload_id: upload, path: "uploaded", size, expected_sha256: sha256 });
});
await measure("file_import", async ({ call }) => {
  await call("file_import", { app: "bench", path: "imported", local_path: "local" });
});
await measure("file_export", async ({ call }) => {
  const { sha256: exported } = await call("file_export", {
    app: "bench",
    path: "uploaded",
    local_path: "out",
  });
  if (exported !== sha256) throw new Error("not what was uploaded");
});
console.log(
  `Node ${process.version}; \`node packages/app-files-mcp/bench/upload.mjs\`\n\n| 250 MiB | time | peak memory |\n|---|---|---|\n${rows.join("\n")}`,
);
