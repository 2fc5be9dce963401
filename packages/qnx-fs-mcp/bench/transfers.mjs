/**
 * Transfers of the built server against OpenSSH's sshd, with `sftp` in the same run:
 * `npm run build && node packages/qnx-fs-mcp/bench/transfers.mjs [ROUNDS]` (5). Needs sshd, sftp and ssh-keygen.
 * Medians of interleaved rounds; what `sftp` takes to start and connect is measured and subtracted.
 */
import { spawn } from "node:child_process";
import { randomFillSync } from "node:crypto";
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
const here = (/** @type {string} */ file) => fileURLToPath(new URL(file, import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), "qnx-fs-bench-"));
const mebibyte = 1024 * 1024;
/** Lines: one way's milliseconds, bytes a second, MiB to copy, the goal against `sftp`. */
const lines = [
  { what: "loopback", delay: 0, rate: 0, size: 256, goal: 0.6 },
  { what: "50 ms round trip", delay: 25, rate: 0, size: 256, goal: 1 },
  { what: "100 Mbit/s line", delay: 1, rate: 12_500_000, size: 64, goal: 1 },
];
/** @type {(() => unknown)[]} */
const ends = [() => rmSync(folder, { recursive: true, force: true })];

try {
  const { startSshd } = await importBundled("../test/start-sshd.ts");
  const sshd = await startSshd();
  ends.push(sshd.stop);
  const { host, user, userKey, fingerprints } = sshd;
  const far = path.join(folder, "far");
  const near = path.join(folder, "near");
  for (const place of [far, near]) mkdirSync(place);
  /** @type {Record<string, object>} */
  const targets = {};
  const ports = [];
  for (const [index, { delay, rate }] of lines.entries()) {
    const port = await startProxy(sshd.port, delay, rate);
    ports.push(port);
    const login = { host, port, user, identity_file: userKey, host_key: fingerprints.ed25519 };
    targets[`t${index}`] = { ...login, read_roots: [far], write_roots: [far] };
  }
  const config = path.join(folder, "config.yaml");
  writeFileSync(config, JSON.stringify({ targets, local_roots: [near] }));
  const server = startRpcServer([here("../dist/main.js"), "--config", config]);
  ends.push(() => server.close());
  await initialize(server);

  const rows = [];
  for (const [index, { what, size, goal }] of lines.entries()) {
    const bytes = randomFillSync(Buffer.alloc(size * mebibyte));
    for (const place of [far, near]) writeFileSync(path.join(place, "file"), bytes);
    const target = `t${index}`;
    const port = ports[index] ?? 0;
    await call("file_stat", { target, paths: [far] });
    for (const way of ["get", "put"]) {
      const [starts, theirs, ours] = [[], [], []].map((list) => /** @type {number[]} */ (list));
      for (let round = 0; round < rounds; round++) {
        starts.push(await timed(() => sftp(port, "pwd")));
        const [from, to] = way === "get" ? [far, near] : [near, far];
        theirs.push(await timed(() => sftp(port, `${way} ${from}/file ${to}/theirs`)));
        const [remote, local] = way === "get" ? ["file", "ours"] : ["ours", "file"];
        const args = {
          target,
          remote_path: path.join(far, remote),
          local_path: path.join(near, local),
          verify: false,
        };
        ours.push(
          await timed(() => call(`file_${way}`, { ...args, overwrite: true, max_mb: 1024, timeout_s: 600 })),
        );
      }
      const their = size / ((median(theirs) - median(starts)) / 1000);
      const own = size / (median(ours) / 1000);
      const speeds = [`${their.toFixed(0)} MiB/s`, `${own.toFixed(0)} MiB/s`];
      rows.push([`${way} ${size} MiB, ${what}`, ...speeds, (own / their).toFixed(2), `≥ ${goal}`]);
      console.error(rows.at(-1)?.join(" | "));
    }
  }
  const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1]) / 1024;

  const slow = { target: "t2", paths: [far] };
  const alone = await statsDuring(async () => {
    for (let n = 0; n < 20; n++) await call("file_stat", slow);
  }, slow);
  const args = { target: "t2", remote_path: path.join(far, "file"), local_path: path.join(near, "beside") };
  const beside = await statsDuring(() => call("file_get", { ...args, overwrite: true }), slow);

  console.log(`Node ${process.versions.node}, medians of ${rounds} interleaved rounds\n`);
  console.log(markdownTable(["what", "sftp", "file_get, file_put", "ratio", "goal"], rows));
  console.log(
    `\nfile_stat on the 100 Mbit/s line: ${alone.toFixed(0)} ms alone, ${beside.toFixed(0)} ms beside a running file_get (medians). Most memory of the server: ${peak.toFixed(0)} MB.`,
  );

  /** @param {() => Promise<unknown>} work @param {object} stat */
  async function statsDuring(work, stat) {
    let over = false;
    const done = work().finally(() => {
      over = true;
    });
    /** @type {number[]} */
    const taken = [];
    while (!over) taken.push(await timed(() => call("file_stat", stat)));
    await done;
    return median(taken);
  }

  /** @param {string} name @param {object} args */
  async function call(name, args) {
    const { isError, content } = await server.request("tools/call", { name, arguments: args });
    if (isError) throw new Error(content[0].text);
  }

  /** @param {number} port @param {string} command */
  function sftp(port, command) {
    const options = ["StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "LogLevel=ERROR"];
    const args = ["-q", "-P", String(port), "-i", userKey, ...options.flatMap((option) => ["-o", option])];
    const child = spawn("sftp", [...args, "-b", "-", `${user}@${host}`], {
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

/** @param {number} port @param {number} delay @param {number} rate @returns {Promise<number>} */
function startProxy(port, delay, rate) {
  const args = [here("delay-proxy.mjs"), port, delay, rate].map(String);
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  ends.push(() => child.kill());
  return new Promise((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line !== "connection") resolve(Number(line));
    });
  });
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
