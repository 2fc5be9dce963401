/**
 * npm test: set-up, then every project once; then the SQLite project again on Node 24, where another engine
 * answers. Arguments go to vitest (`npm test -- --project core`); the second run is then left out.
 * With CI=true a skipped test counts as failed. The last line is `N passed, N failed`.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { runCommand } from "./run-command.mjs";
import { setUp } from "./set-up.mjs";
import { newestNode, readJson, toolFile } from "./workspace.mjs";

/** @typedef {{ passed: number, failed: number, skipped: string[] }} Count */

const ci = process.env.CI === "true";
const args = process.argv.slice(2);

await setUp();

const folder = mkdtempSync(path.join(tmpdir(), "test-counts-"));
/** @type {Count[]} */
const counts = [];
try {
  counts.push(await runVitest(process.execPath, args));
  if (args.length === 0) {
    const node24 = newestNode();
    if (node24 !== undefined) {
      console.log("\nThe SQLite driver again, on Node 24:");
      counts.push(await runVitest(node24, ["--project", "sqlite"]));
    } else {
      console.log("\nSKIPPED: the SQLite driver on Node 24: there is no Node 24 binary for this platform.");
      counts.push({ passed: 0, failed: 0, skipped: ["the SQLite driver on Node 24"] });
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const skipped = counts.flatMap((count) => count.skipped);
if (skipped.length > 0) {
  console.log(`\n${skipped.length} skipped${ci ? ", which CI refuses" : ""}:`);
  for (const name of skipped) console.log(`  ${name}`);
}
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, ci ? skipped.length : 0);
process.exitCode = failed > 0 ? 1 : 0;
console.log(`\n${passed} passed, ${failed} failed`);

/**
 * @param {string} node the binary to run on
 * @param {readonly string[]} filter arguments for vitest
 * @returns {Promise<Count>} at least one failed when vitest itself was not content
 */
async function runVitest(node, filter) {
  const file = path.join(folder, `${counts.length}.json`);
  const { code } = await runCommand(node, [
    ...[toolFile("vitest"), "run", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`],
    ...filter,
  ]);
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: [] };
  /** @type {{ testResults: { name: string, status: string, assertionResults: { status: string, fullName: string }[] }[] }} */
  const report = readJson(file);
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  );
  const passed = tests.filter(({ status }) => status === "passed").length;
  const failed = tests.filter(({ status }) => status === "failed").length + brokenFiles.length;
  const skipped = tests
    .filter(({ status }) => !["passed", "failed"].includes(status))
    .map((test) => test.fullName);
  return { passed, failed: code === 0 ? failed : Math.max(failed, 1), skipped };
}
