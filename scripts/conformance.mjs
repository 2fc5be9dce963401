/**
 * What others' programs say of each built server: the conformance suite of the MCP project over HTTP on loopback, and
 * the command line of its Inspector over stdio. Both run on Node 24, which the workspace brings. A scenario of the
 * suite that is neither expected to pass here nor named in docs/testing.md fails the run, so that a new one is decided
 * upon. The last line is `N passed, N failed`.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startHttpServer } from "./http-server.mjs";
import { callsFor, inspect } from "./inspector-calls.mjs";
import { runCommand } from "./run-command.mjs";
import { setUp } from "./set-up.mjs";
import { startArguments } from "./start-arguments.mjs";
import { listServers, newestNode, outsideTool, readJson, root } from "./workspace.mjs";

/** What a server must pass, by what it has. */
const required = {
  all: ["server-initialize", "ping", "tools-list", "server-sse-multiple-streams", "dns-rebinding-protection"],
  resources: ["resources-list"],
};

const node = newestNode();
if (node === undefined) {
  console.log("SKIPPED: conformance and Inspector: there is no Node 24 binary for this platform.");
  console.log(process.env.CI === "true" ? "0 passed, 1 failed" : "0 passed, 0 failed");
  process.exit(process.env.CI === "true" ? 1 : 0);
}
await setUp();

let passed = 0;
let failed = 0;
const explained = readFileSync(path.join(root, "docs/testing.md"), "utf8");
const folder = mkdtempSync(path.join(tmpdir(), "conformance-"));
try {
  for (const server of listServers()) {
    const home = path.join(folder, server.folder);
    const { args, options } = startArguments(server, home);
    if (server.folder === "vault-mcp")
      cpSync(path.join(root, "examples/vault"), path.join(home, "data"), { recursive: true });
    await runSuite(server.folder, args, options.env);
    for (const call of callsFor(server.folder)) {
      tell(server.folder, call.name, await inspect(call, { node, args, env: options.env }));
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;
console.log(`\n${passed} passed, ${failed} failed`);

/** @param {string} name @param {readonly string[]} args @param {NodeJS.ProcessEnv} env */
async function runSuite(name, args, env) {
  const out = path.join(folder, `${name}-out`);
  const server = await startHttpServer(args, { node, env });
  // Its own verdict counts fixtures that only a server made for it has; ours is read from what it wrote.
  const { output } = await runCommand(
    /** @type {string} */ (node),
    [
      outsideTool("@modelcontextprotocol/conformance", "conformance"),
      "server",
      "--url",
      server.url,
      "-o",
      out,
    ],
    { output: "keep" },
  );
  await server.stop();
  const found = readResults(out);
  if (found.size === 0) tell(name, "conformance suite", [`it gave no results:\n${output}`]);
  const wanted = name === "qnx-fs-mcp" ? required.all : [...required.all, ...required.resources];
  for (const scenario of wanted)
    tell(name, scenario, found.get(scenario) ?? ["the suite has no such scenario"]);
  const unknown = [...found.keys()].filter(
    (scenario) => !wanted.includes(scenario) && !explained.includes(`\`${scenario}\``),
  );
  if (unknown.length > 0)
    tell(name, "scenarios left out", [`docs/testing.md gives no reason for ${unknown.join(", ")}`]);
}

/**
 * The failed checks of every scenario that was run.
 *
 * @param {string} out @returns {Map<string, string[]>}
 */
function readResults(out) {
  return new Map(
    readdirSync(out).map((entry) => {
      /** @type {{ id: string, status: string, errorMessage?: string }[]} */
      const checks = readJson(path.join(out, entry, "checks.json"));
      const problems = checks
        .filter(({ status }) => status === "FAILURE")
        .map(({ id, errorMessage }) => `${id}: ${errorMessage}`);
      if (!checks.some(({ status }) => status === "SUCCESS")) problems.push("no check succeeded");
      return [/^server-(.+)-\d{4}-\d\d-\d\dT/.exec(entry)?.[1] ?? entry, problems];
    }),
  );
}

/** @param {string} server @param {string} what @param {readonly string[]} problems */
function tell(server, what, problems) {
  if (problems.length === 0) passed += 1;
  else failed += 1;
  console.log(`${problems.length === 0 ? "ok    " : "FAILED"} ${server}: ${what}`);
  for (const problem of problems) console.log(`         ${problem}`);
}
