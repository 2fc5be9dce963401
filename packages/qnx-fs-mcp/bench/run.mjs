/**
 * Listings and small calls of the built server against OpenSSH's sshd, with `sftp` in the same run:
 * `npm run build && node packages/qnx-fs-mcp/bench/run.mjs [ROUNDS]` (5). Needs sshd, sftp and ssh-keygen.
 * Medians of interleaved rounds; what a program takes to start and connect is measured and subtracted.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { bundleOptions } from "../../../scripts/bundle-options.mjs";
import { initialize, startRpcServer } from "../../../scripts/rpc-client.mjs";
import { markdownTable } from "../../../scripts/text-table.mjs";

const rounds = Number(process.argv[2] ?? 5);
const entries = 10_000;
const here = (/** @type {string} */ file) => fileURLToPath(new URL(file, import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), "qnx-fs-bench-"));
/** @type {(() => unknown)[]} */
const ends = [() => rmSync(folder, { recursive: true, force: true })];

try {
  const { startSshd } = await importBundled("../test/start-sshd.ts");
  const sshd = await startSshd();
  ends.push(sshd.stop);
  const large = path.join(folder, "large");
  mkdirSync(large);
  for (let n = 0; n < entries; n++)
    writeFileSync(path.join(large, `entry-${String(n).padStart(5, "0")}.log`), "");

  const near = await startProxy(sshd.port, 0);
  const far = await startProxy(sshd.port, 25);
  const { host, user, userKey, fingerprints } = sshd;
  const target = { host, user, identity_file: userKey, host_key: fingerprints.ed25519 };
  const config = path.join(folder, "config.yaml");
  const targets = { near: { ...target, port: near.port }, far: { ...target, port: far.port } };
  writeFileSync(config, JSON.stringify({ targets }));
  const server = startRpcServer([here("../dist/main.js"), "--config", config]);
  ends.push(() => server.close());
  await initialize(server);

  const rows = [
    await compareListing("first page of 10,000 entries, loopback", "near", near, 1.3),
    await compareListing("first page of 10,000 entries, 50 ms round trip", "far", far, 0.2),
  ];
  console.log(`Node ${process.versions.node}, medians of ${rounds} interleaved rounds\n`);
  console.log(markdownTable(["what", "sftp `ls -l`", "file_list", "ratio", "goal"], rows));
  console.log(`\n${await smallCalls()}`);

  /** @param {string} what @param {string} name @param {{ port: number }} proxy @param {number} goal */
  async function compareListing(what, name, proxy, goal) {
    await call("file_stat", { target: name, paths: [large] });
    const [starts, lists, pages] = [[], [], []].map((list) => /** @type {number[]} */ (list));
    for (let round = 0; round <= rounds; round++) {
      const start = await timed(() => sftp(proxy.port, "pwd"));
      const list = await timed(() => sftp(proxy.port, `ls -l ${large}`));
      const page = await timed(() => call("file_list", { target: name, path: large }));
      if (round === 0) continue;
      starts.push(start);
      lists.push(list);
      pages.push(page);
    }
    const theirs = median(lists) - median(starts);
    const ours = median(pages);
    return [
      what,
      `${theirs.toFixed(0)} ms`,
      `${ours.toFixed(0)} ms`,
      (ours / theirs).toFixed(2),
      `≤ ${goal}`,
    ];
  }

  async function smallCalls() {
    const before = near.connections();
    const args = { target: "near", paths: [large] };
    for (let n = 0; n < 100; n++) await call("file_stat", args);
    const memory = residentMegabytes(server.pid);
    const taken = await timed(async () => {
      for (let n = 0; n < 1000; n++) await call("file_stat", args);
    });
    const grown = residentMegabytes(server.pid) - memory;
    const handshakes = near.connections() - before;
    return `1,000 file_stat calls, one after the other: ${(taken / 1000).toFixed(2)} ms each, ${handshakes} new connections, memory ${memory.toFixed(0)} MB and ${grown.toFixed(1)} MB more afterwards`;
  }

  /** @param {string} name @param {object} args */
  async function call(name, args) {
    const { isError, content } = await server.request("tools/call", { name, arguments: args });
    if (isError) throw new Error(content[0].text);
  }

  /** @param {number} port @param {string} command */
  function sftp(port, command) {
    const options = [
      "-q",
      "-P",
      String(port),
      "-i",
      userKey,
      "-o",
      "StrictHostKeyChecking=no",
      "-o",
      "UserKnownHostsFile=/dev/null",
      "-o",
      "LogLevel=ERROR",
    ];
    const child = spawn("sftp", [...options, "-b", "-", `${user}@${host}`], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    child.stdout.resume();
    child.stdin.end(`${command}\n`);
    return new Promise((resolve, reject) => {
      child.on("close", (code) =>
        code === 0 ? resolve(undefined) : reject(new Error(`sftp ended with ${code}`)),
      );
    });
  }
} finally {
  for (const end of ends.reverse()) await end();
}

/** @param {number} port @param {number} delay milliseconds each way @returns {Promise<{ port: number, connections: () => number }>} */
async function startProxy(port, delay) {
  const child = spawn(process.execPath, [here("delay-proxy.mjs"), String(port), String(delay)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  ends.push(() => child.kill());
  let connections = 0;
  const own = await new Promise((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line === "connection") connections++;
      else resolve(Number(line));
    });
  });
  return { port: own, connections: () => connections };
}

/** @param {string} file */
async function importBundled(file) {
  const outfile = path.join(folder, "bundled.mjs");
  const { splitting: _splitting, ...options } = bundleOptions;
  await build({ ...options, entryPoints: [here(file)], outfile });
  return import(pathToFileURL(outfile).href);
}

/** @param {() => Promise<unknown>} work */
async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** @param {number[]} values */
function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** @param {number} pid */
function residentMegabytes(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  } catch {
    const { stdout } = spawnSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
    return Number(stdout) / 1024;
  }
}
