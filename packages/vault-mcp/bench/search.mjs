/**
 * Measures search_documents on generated vaults, through the built server and over stdio:
 *
 *   node packages/vault-mcp/bench/search.mjs [COUNT…]      (1000 10000 by default; 100000 takes minutes)
 *
 * Prints medians in milliseconds. The generated notes are made of seventeen words, so nearly every word is in nearly
 * every note: the hardest case for ranking. Each query is asked once, so that no list of hits is kept from before.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { generateVault } from "./generate-vault.mjs";
import { startServer } from "./start-server.mjs";

const counts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000, 10_000];
const words =
  "garden bed water seed autumn spring compost leaf root stone path meeting list tool rain sun".split(" ");

/** Queries of each kind. @param {number} count @returns {Record<string, object[]>} */
function queriesOf(count) {
  const some = words.slice(0, 12);
  const at = (/** @type {number} */ index) => words[index % words.length];
  return {
    "a name": some.map((_, index) => ({ query: `note ${Math.floor((count * (index + 1)) / 14)}` })),
    "two words in a folder": some.map((word, index) => ({
      query: `${word} ${at(index + 3)}`,
      folder: "area 1",
    })),
    "a phrase of three words": some.map((word, index) => ({
      query: `"${word} ${at(index + 5)} ${at(index + 2)}"`,
    })),
    "one word of all notes": some.map((word) => ({ query: word })),
    "two words of all notes": some.map((word, index) => ({ query: `${word} ${at(index + 1)}` })),
    "a text as it stands": some
      .slice(0, 4)
      .map((word, index) => ({ query: `${word} ${at(index + 1)} [[`, match: "literal" })),
    nothing: some.map((word) => ({ query: `${word}zzz` })),
  };
}

/** @param {number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** @param {number} count */
async function measure(count) {
  const vault = mkdtempSync(path.join(tmpdir(), "vault-mcp-bench-"));
  try {
    generateVault(vault, count);
    const { call, end } = await startServer([vault, "--index", `${vault}.index/index.sqlite`]);
    for (;;) {
      const { index } = await call("get_status", {});
      if (index.state === "ready" && !index.stale) break;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    await call("search_documents", { query: "warm" });
    /** @type {number[]} */
    const all = [];
    for (const [kind, queries] of Object.entries(queriesOf(count))) {
      const times = [];
      for (const args of queries) {
        const since = performance.now();
        await call("search_documents", args);
        times.push(performance.now() - since);
      }
      all.push(...times);
      console.log(
        `${count} notes, ${kind}: ${median(times).toFixed(1)} ms (longest ${Math.max(...times).toFixed(1)})`,
      );
    }
    console.log(`${count} notes, p50 of all: ${median(all).toFixed(1)} ms`);
    await end();
  } finally {
    for (const folder of [vault, `${vault}.index`]) rmSync(folder, { recursive: true, force: true });
  }
}

for (const count of counts) await measure(count);
