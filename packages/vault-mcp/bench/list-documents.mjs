/**
 * Measures list_documents on generated vaults, through the built server and over stdio:
 *
 *   node packages/vault-mcp/bench/list-documents.mjs [COUNT…]      (1000 10000 by default; 100000 takes minutes)
 *
 * Prints medians in milliseconds, unless said otherwise.
 */
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { generateVault } from "./generate-vault.mjs";
import { startServer } from "./start-server.mjs";

const counts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000, 10_000];

/** A server whose index lies beside the vault. @param {string} vault */
async function serve(vault) {
  const server = await startServer([vault, "--index", `${vault}.sqlite`]);
  return { ...server, list: (/** @type {object} */ args) => server.call("list_documents", args) };
}

/** @param {() => Promise<unknown>} job */
async function time(job) {
  const since = performance.now();
  await job();
  return performance.now() - since;
}

/** @param {number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** @param {number[]} values @param {number} share */
const quantile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN;

/** How long a server on a vault that did not change takes to answer at all, and to know that it is right. @param {string} vault */
async function restart(vault) {
  const { child, list, end } = await serve(vault);
  const since = performance.now();
  const small = { limit: 100, include_frontmatter: false };
  await list(small);
  const first = performance.now() - since;
  while ((await list(small)).index_stale) await new Promise((resolve) => setTimeout(resolve, 5));
  const right = performance.now() - since;
  const memory = memoryOf(child.pid);
  await end();
  return { first, right, memory };
}

/** Bytes of memory in use by a process, on Linux. @param {number | undefined} pid */
function memoryOf(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
  } catch {
    return Number.NaN;
  }
}

/** @param {number} count */
async function measure(count) {
  const vault = mkdtempSync(path.join(tmpdir(), "vault-mcp-bench-"));
  try {
    generateVault(vault, count);
    const { child, list, end } = await serve(vault);
    const duringIndex = [];
    const since = performance.now();
    let first = await list({ limit: 100, include_frontmatter: false });
    while (first.index_stale) {
      const called = performance.now();
      first = await list({ limit: 100, include_frontmatter: false });
      duringIndex.push(performance.now() - called);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const indexed = performance.now() - since;

    const walk = { include_frontmatter: false, limit: 100 };
    const pages = [];
    let cursor = null;
    for (let page = 0; page < 300; page += 1) {
      const args = cursor === null ? walk : { ...walk, cursor };
      const answer = { next_cursor: null };
      pages.push(await time(async () => Object.assign(answer, await list(args))));
      cursor = answer.next_cursor;
    }
    /** First pages of queries that were not asked before, and the pages after them. @param {(round: number) => object} query */
    const filtered = async (query) => {
      const first = [];
      const later = [];
      for (let round = 0; round < 5; round += 1) {
        let cursor = null;
        for (let page = 0; page < 6 && (page === 0 || cursor !== null); page += 1) {
          const answer = { next_cursor: null };
          const args = { limit: 100, ...query(round), ...(cursor !== null && { cursor }) };
          (page === 0 ? first : later).push(await time(async () => Object.assign(answer, await list(args))));
          cursor = answer.next_cursor;
        }
      }
      laterPages.push(...later);
      return median(first);
    };
    /** @type {number[]} */
    const laterPages = [];
    const equality = await filtered((round) => ({ filters: { weight: 100 + round } }));
    const range = await filtered((round) => ({
      filters: { weight: { gt: 500 + round }, status: { ne: "done" } },
    }));
    const pattern = await filtered((round) => ({ pattern: `**/sub/*${round}.md` }));
    /** @type {Record<string, number>} */
    const sorted = {};
    // A filter that was not asked before, and each time an order that is not known.
    for (const sort of ["modified", "created", "size", "title", "frontmatter.weight", "frontmatter.due"]) {
      for (const order of ["asc", "desc"]) {
        sorted[`${sort} ${order}`] = await time(() =>
          list({ limit: 100, sort, order, filters: { weight: { gte: 1 } } }),
        );
        const { next_cursor } = await list({ limit: 100, sort, order, filters: { weight: { gte: 1 } } });
        const args = { limit: 100, sort, order, filters: { weight: { gte: 1 } }, cursor: next_cursor };
        if (next_cursor !== null) laterPages.push(await time(() => list(args)));
      }
    }
    const [slowest = "", slowestTime = 0] =
      Object.entries(sorted).sort(([, one], [, other]) => other - one)[0] ?? [];

    const edits = [];
    const file = path.join(vault, "area 0", "sub", "note 0.md");
    for (let round = 0; round < 5; round += 1) {
      appendFileSync(file, `\n#edit${round}\n`);
      edits.push(
        await time(async () => {
          while ((await list({ tags: [`edit${round}`], limit: 1 })).total === 0);
        }),
      );
    }
    const memory = memoryOf(child.pid);
    await end();
    const again = await restart(vault);
    return {
      notes: count,
      "first index, notes/s": Math.round(count / (indexed / 1000)),
      "p99 of list_documents meanwhile": quantile(duringIndex, 0.99),
      "a page of 100": median(pages.slice(100)),
      "one equality": equality,
      "two conditions": range,
      pattern,
      [`longest first page of an order (${slowest})`]: slowestTime,
      "later pages of filters and orders": median(laterPages),
      "longest of them": Math.max(...laterPages),
      "edit seen": median(edits),
      "memory, MB": memory / 1e6,
      "restart: first answer": again.first,
      "restart: right answer": again.right,
      "restart: memory, MB": again.memory / 1e6,
    };
  } finally {
    for (const path of [
      vault,
      ...["", "-wal", "-shm", ".lock"].map((suffix) => `${vault}.sqlite${suffix}`),
    ]) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}

for (const count of counts) {
  const row = await measure(count);
  console.log(
    Object.entries(row)
      .map(([name, value]) => `${name}: ${Number.isInteger(value) ? value : Number(value).toFixed(1)}`)
      .join(" | "),
  );
}
