/**
 * Moves 250 MiB through the built server in every way that there is and prints one table:
 * `npm run build && node packages/app-files-mcp/bench/upload.mjs`. Memory is the peak of the server's process (Linux),
 * which is a new one for each row.
 */
import { createHash } from "node:crypto";
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openHttpClient } from "../../../scripts/http-client.mjs";
import { startHttpServer } from "../../../scripts/http-server.mjs";
import { initialize, startRpcServer } from "../../../scripts/rpc-client.mjs";

/** @typedef {(name: string, args: object) => Promise<any>} Call resolves with the structured content */

const bin = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "app-files-upload-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const local = join(folder, "local");
const command = [bin, "--data", join(folder, "data"), "--root", folder, "--log-level", "info"];
/** The largest windows that may be set. */
const wide = ["--max-result-bytes", "1000000"];

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

/** @type {string[]} */
const rows = [];

/** @param {string} what @param {number} pid @param {() => Promise<void>} work */
async function measure(what, pid, work) {
  const begin = performance.now();
  await work();
  const seconds = (performance.now() - begin) / 1000;
  const rate = Math.round(size / 1_000_000 / seconds);
  rows.push(`| ${what} | ${seconds.toFixed(1)} s, ${rate} MB/s | ${Math.round(peakOf(pid))} MB |`);
}

/** @param {string} what @param {(call: Call) => Promise<void>} work @param {readonly string[]} [options] */
async function overStdio(what, work, options = []) {
  const server = startRpcServer([...command, ...options]);
  await initialize(server);
  await measure(what, server.pid, () =>
    work(async (name, args) => {
      const { isError, content, structuredContent } = await server.request("tools/call", {
        name,
        arguments: args,
      });
      if (isError) throw new Error(content[0].text);
      return structuredContent;
    }),
  );
  await server.close();
}

/** @param {string} what @param {(call: Call, file: URL) => Promise<void>} work `file`: where a file may be put */
async function overHttp(what, work) {
  const server = await startHttpServer(command);
  const client = await openHttpClient(server.url);
  await measure(what, server.pid, () =>
    work(
      async (name, args) => (await client.call(name, args)).structuredContent,
      new URL("/files/bench/put", server.url),
    ),
  );
  await client.close();
  await server.stop();
}

/** @param {Call} call @returns {Promise<string>} the upload, all of whose chunks are there */
async function sendChunks(call) {
  const { upload_id: upload } = await call("file_write_begin", { app: "bench", size });
  for (let seq = 0; seq < chunkCount; seq++) {
    await call("file_write_chunk", { upload_id: upload, seq, data_base64: chunkOf(seq).toString("base64") });
  }
  return upload;
}

/** @param {string} found */
function check(found) {
  if (found !== sha256) throw new Error("not what was uploaded");
}

const whole = createHash("sha256");
for (let seq = 0; seq < chunkCount; seq++) {
  const bytes = chunkOf(seq);
  whole.update(bytes);
  writeFileSync(local, bytes, { flag: "a" });
}
const sha256 = whole.digest("hex");

let upload = "";
await overStdio("file_write_chunk, 5 MiB each", async (call) => {
  upload = await sendChunks(call);
});
await overStdio("file_write_commit, by another process", async (call) => {
  await call("file_write_commit", { upload_id: upload, path: "uploaded", size, expected_sha256: sha256 });
});
await overStdio("file_write, 5 MiB each", async (call) => {
  for (let seq = 0; seq < chunkCount; seq++) {
    await call("file_write", { app: "bench", path: "one", data_base64: chunkOf(seq).toString("base64") });
  }
});
await overStdio("file_import", async (call) => {
  await call("file_import", { app: "bench", path: "imported", local_path: "local" });
});
await overStdio("file_export", async (call) => {
  check((await call("file_export", { app: "bench", path: "uploaded", local_path: "out" })).sha256);
});
await overStdio(
  "file_read in windows of 1 MB",
  async (call) => {
    const hash = createHash("sha256");
    for (let offset = 0; offset !== null; ) {
      const answer = await call("file_read", { app: "bench", path: "uploaded", offset });
      hash.update(Buffer.from(answer.data_base64, "base64"));
      offset = answer.next_offset;
    }
    check(hash.digest("hex"));
  },
  wide,
);
await overHttp("file_write_chunk over HTTP", async (call) => {
  await sendChunks(call);
});
await overHttp("PUT", async (_call, file) => {
  const body = /** @type {any} */ (createReadStream(local));
  const response = await fetch(file, {
    method: "PUT",
    body,
    duplex: "half",
    headers: { "content-length": String(size) },
  });
  check((await response.json()).sha256);
});
await overHttp("GET", async (_call, file) => {
  const hash = createHash("sha256");
  for await (const piece of /** @type {any} */ ((await fetch(file)).body)) hash.update(piece);
  check(hash.digest("hex"));
});
console.log(
  `Node ${process.version}; \`node packages/app-files-mcp/bench/upload.mjs\`\n\n| 250 MiB | time | peak memory |\n|---|---|---|\n${rows.join("\n")}`,
);
