/**
 * Measures how long the longest transactions of an index take, through the built server: nobody else may write meanwhile,
 * and the thread cannot end.
 *
 *   node packages/vault-mcp/bench/transactions.mjs [COUNT…]      (10000 by default)
 *
 * Prints milliseconds: of work, which leaves out what else the machine did (on Linux), and by the wall.
 */
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { generateVault } from "./generate-vault.mjs";
import { startServer } from "./start-server.mjs";

const counts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [10_000];

/** A note of 20 MB. */
function largeText() {
  const lines = Array.from({ length: 150_000 }, (_, at) => {
    const heading = at % 100 === 0 ? `\n## Part ${at}\n\n` : "";
    return `${heading}Some words of a line, number ${at}, with [[note ${at % 10_000}|a link]] and #tag${at % 500} in it, and more words to come.`;
  });
  return `# Large\n\n${lines.join("\n")}\n`;
}

/** @param {number} count */
async function measure(count) {
  const home = mkdtempSync(path.join(tmpdir(), "vault-mcp-bench-"));
  const vault = path.join(home, "vault");
  const probe = path.join(home, "probe");
  try {
    generateVault(vault, count);
    const { call, end } = await startServer([vault, "--index", path.join(home, "index.sqlite")], {
      NODE_OPTIONS: `--import=${new URL("transaction-probe.mjs", import.meta.url)}`,
      TRANSACTION_PROBE: probe,
      XDG_STATE_HOME: path.join(home, "state"),
    });
    /** @param {string} what */
    const report = async (what) => {
      while ((await call("list_documents", { limit: 1, wait_for_pending_writes: true })).index_stale);
      // The worker is the first thread that the server starts; the main thread only reads.
      const file = `${probe}.1`;
      if (!existsSync(file)) return;
      const { work, wall, statement } = JSON.parse(readFileSync(file, "utf8"));
      rmSync(file);
      const longest = statement.replace(/\s+/g, " ").slice(0, 60);
      console.log(
        `${count} notes, ${what}: ${work.toFixed(0)} of work, ${wall.toFixed(0)} by the wall (${longest})`,
      );
    };
    await report("first index");
    const files = readdirSync(vault, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .slice(0, 5_000)
      .map((name) => path.join(vault, name));
    for (const file of files) appendFileSync(file, "\nOne more line #burst\n");
    await report(`${files.length} changed at once`);
    for (const file of files) rmSync(file);
    await report(`${files.length} removed at once`);
    writeFileSync(path.join(vault, "large.md"), largeText());
    await report("a note of 20 MB");
    appendFileSync(path.join(vault, "large.md"), "One more line\n");
    await report("the same changed");
    await end();
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

for (const count of counts) await measure(count);
