/**
 * Transfers of the built server against OpenSSH's sshd, with `sftp` in the same run:
 * `npm run build && node packages/qnx-fs-mcp/bench/transfers.mjs [ROUNDS]` (5). Needs sshd, sftp and ssh-keygen.
 * Medians of interleaved rounds; what `sftp` takes to start and connect is measured and subtracted.
 */
import { randomFillSync } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { markdownTable } from "../../../scripts/text-table.mjs";
import { median, timed, withBench } from "./bench.mjs";

const rounds = Number(process.argv[2] ?? 5);
const mebibyte = 1024 * 1024;
/** Lines: one way's milliseconds, bytes a second, MiB to copy, the goal against `sftp`; the first has no proxy. */
const lines = [
  { what: "loopback", delay: 0, rate: 0, size: 256, goal: 0.6 },
  {
    what: "loopback, ciphers of QNX 8",
    delay: 0,
    rate: 0,
    size: 256,
    algorithms: { cipher: ["aes128-ctr"] },
  },
  { what: "50 ms round trip", delay: 25, rate: 0, size: 256, goal: 1 },
  { what: "100 Mbit/s line", delay: 1, rate: 12_500_000, size: 64, goal: 1 },
];

await withBench(async (bench) => {
  const far = path.join(bench.folder, "far");
  const near = path.join(bench.folder, "near");
  for (const place of [far, near]) mkdirSync(place);
  const ports = await Promise.all(
    lines.map(async ({ delay, rate }) =>
      delay === 0 ? bench.port : (await bench.startProxy(delay, rate)).port,
    ),
  );
  const targets = Object.fromEntries(
    lines.map(({ algorithms }, index) => {
      const roots = { read_roots: [far], write_roots: [far], ...(algorithms && { algorithms }) };
      return [`t${index}`, { ...bench.describe(ports[index] ?? 0), ...roots }];
    }),
  );
  const { call, pid } = await bench.serve({ targets, local_roots: [near] });

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
        starts.push(await timed(() => bench.sftp(port, "pwd")));
        const [from, to] = way === "get" ? [far, near] : [near, far];
        theirs.push(await timed(() => bench.sftp(port, `${way} ${from}/file ${to}/theirs`)));
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
      const goals = goal === undefined ? "" : `≥ ${goal}`;
      rows.push([`${way} ${size} MiB, ${what}`, ...speeds, (own / their).toFixed(2), goals]);
      console.error(rows.at(-1)?.join(" | "));
    }
  }
  const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

  const slow = { target: `t${lines.length - 1}`, paths: [far] };
  const alone = await statsDuring(async () => {
    for (let n = 0; n < 20; n++) await call("file_stat", slow);
  });
  const copy = { remote_path: path.join(far, "file"), local_path: path.join(near, "beside") };
  const beside = await statsDuring(() => call("file_get", { ...copy, target: slow.target, overwrite: true }));

  console.log(`Node ${process.versions.node}, medians of ${rounds} interleaved rounds\n`);
  console.log(markdownTable(["what", "sftp", "file_get, file_put", "ratio", "goal"], rows));
  console.log(
    `\nfile_stat on the 100 Mbit/s line: at most ${alone.toFixed(0)} ms alone, ${beside.toFixed(0)} ms beside a running file_get. Most memory of the server: ${peak.toFixed(0)} MB.`,
  );

  /** The longest that a file_stat takes meanwhile, in milliseconds. @param {() => Promise<unknown>} work */
  async function statsDuring(work) {
    let over = false;
    const done = work().finally(() => {
      over = true;
    });
    /** @type {number[]} */
    const taken = [];
    while (!over) taken.push(await timed(() => call("file_stat", slow)));
    await done;
    return Math.max(...taken);
  }
});
