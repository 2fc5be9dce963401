/**
 * Listings and small calls of the built server against OpenSSH's sshd, with `sftp` in the same run:
 * `npm run build && node packages/qnx-fs-mcp/bench/run.mjs [ROUNDS]` (5). Needs sshd, sftp and ssh-keygen.
 * Medians of interleaved rounds; what a program takes to start and connect is measured and subtracted.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { markdownTable } from "../../../scripts/text-table.mjs";
import { median, timed, withBench } from "./bench.mjs";

const rounds = Number(process.argv[2] ?? 5);
const entries = 10_000;

await withBench(async (bench) => {
  const large = path.join(bench.folder, "large");
  mkdirSync(large);
  for (let n = 0; n < entries; n++)
    writeFileSync(path.join(large, `entry-${String(n).padStart(5, "0")}.log`), "");
  const near = await bench.startProxy(0);
  const far = await bench.startProxy(25);
  const targets = { near: bench.describe(near.port), far: bench.describe(far.port) };
  const { call, pid } = await bench.serve({ targets });

  const rows = [
    await compareListing("first page of 10,000 entries, loopback", "near", near.port, 1.3),
    await compareListing("first page of 10,000 entries, 50 ms round trip", "far", far.port, 0.2),
  ];
  console.log(`Node ${process.versions.node}, medians of ${rounds} interleaved rounds\n`);
  console.log(markdownTable(["what", "sftp `ls -l`", "file_list", "ratio", "goal"], rows));
  console.log(`\n${await smallCalls()}`);

  /** @param {string} what @param {string} target @param {number} port @param {number} goal */
  async function compareListing(what, target, port, goal) {
    await call("file_stat", { target, paths: [large] });
    const [starts, lists, pages] = [[], [], []].map((list) => /** @type {number[]} */ (list));
    for (let round = 0; round <= rounds; round++) {
      const start = await timed(() => bench.sftp(port, "pwd"));
      const list = await timed(() => bench.sftp(port, `ls -l ${large}`));
      const page = await timed(() => call("file_list", { target, path: large }));
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
    const memory = residentMegabytes(pid);
    const taken = await timed(async () => {
      for (let n = 0; n < 1000; n++) await call("file_stat", args);
    });
    const grown = residentMegabytes(pid) - memory;
    const handshakes = near.connections() - before;
    return `1,000 file_stat calls, one after the other: ${(taken / 1000).toFixed(2)} ms each, ${handshakes} new connections, memory ${memory.toFixed(0)} MB and ${grown.toFixed(1)} MB more afterwards`;
  }
});

/** @param {number} pid */
function residentMegabytes(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  } catch {
    const { stdout } = spawnSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
    return Number(stdout) / 1024;
  }
}
