/** npm run check: everything that can be judged without running the tests; one line a step. */
import path from "node:path";
import { runCommand } from "./run-command.mjs";
import { setUp } from "./set-up.mjs";
import { listServers, root, toolFile } from "./workspace.mjs";

await setUp();

const node = process.execPath;
/** @type {{ name: string, args: string[], cwd?: string }[]} */
const steps = [
  { name: "format and lint", args: [toolFile("@biomejs/biome", "biome"), "ci", "--error-on-warnings", "."] },
  { name: "import boundaries", args: ["scripts/boundaries.mjs"] },
  {
    name: "types of the packages",
    args: [toolFile("turbo"), "run", "typecheck", "--output-logs=errors-only", "--log-prefix=none"],
  },
  { name: "types of the scripts", args: [toolFile("typescript", "tsc"), "-p", "scripts"] },
  { name: "unused code and dependencies", args: [toolFile("knip"), "--no-progress", "--no-config-hints"] },
  ...listServers().map(({ folder, directory }) => ({
    name: `package of ${folder}`,
    args: [toolFile("publint"), "run", "--strict", "--pack=npm"],
    cwd: directory,
  })),
  { name: "entries for the registry", args: ["scripts/registry-entries.mjs"] },
  { name: "workflows", args: ["scripts/check-workflows.mjs"] },
  { name: "systemd units", args: ["scripts/check-units.mjs"] },
  { name: "backup and restore by the guides", args: ["scripts/check-restore.mjs"] },
  { name: "packages installed alone", args: ["scripts/packed.mjs"] },
  { name: "bundles for desktop clients", args: ["scripts/pack-mcpb.mjs", "--check"] },
  { name: "generated documents", args: ["scripts/docs.mjs", "--check"] },
  { name: "budgets", args: ["scripts/budgets.mjs", "--sizes"] },
];

const failures = [];
for (const { name, args, cwd = root } of steps) {
  const started = Date.now();
  const { code, output } = await runCommand(node, args, { cwd, output: "keep" });
  const time = `${((Date.now() - started) / 1000).toFixed(1)} s`;
  console.log(`${code === 0 ? "ok    " : "FAILED"} ${name} (${time})`);
  if (code === 0) continue;
  failures.push(name);
  const command = args.map((arg) => (path.isAbsolute(arg) ? path.basename(arg) : arg)).join(" ");
  process.stdout.write(`${command}\n${output.trimEnd()}\n`);
}
if (failures.length > 0) {
  console.log(`\nFailed: ${failures.join(", ")}`);
  process.exitCode = 1;
}
