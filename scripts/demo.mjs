/**
 * npm run demo: set-up, then three built servers over stdio with a real MCP client. The demo itself is
 * TypeScript in scripts/demo, bundled on the way because Node 20 does not run it as it stands.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { fail } from "./run-command.mjs";
import { setUp } from "./set-up.mjs";
import { root } from "./workspace.mjs";

await setUp();
const [{ build }, { bundleOptions }] = await Promise.all([import("esbuild"), import("./bundle-options.mjs")]);

const folder = mkdtempSync(path.join(tmpdir(), "mcp-demo-"));
const cleanUp = () => rmSync(folder, { recursive: true, force: true });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  // The servers end by themselves: their standard input ends with this process.
  process.once(signal, () => {
    cleanUp();
    process.exit(130);
  });
}
process.stdout.on("error", () => {
  // Nobody reads on, as with `npm run demo | head`.
  cleanUp();
  process.exit(0);
});

try {
  const outfile = path.join(folder, "demo.mjs");
  const entry = path.join(root, "scripts/demo/main.ts");
  await build({ ...bundleOptions, splitting: false, entryPoints: [entry], outfile });
  /** @type {typeof import("./demo/main.ts")} */
  const { runDemo } = await import(pathToFileURL(outfile).href);
  await runDemo({
    root,
    folder,
    node: process.execPath,
    terminal: {
      columns: process.stdout.columns,
      colour: process.stdout.isTTY === true && !process.env.NO_COLOR,
      write: (text) => process.stdout.write(text),
    },
  });
} catch (error) {
  cleanUp();
  fail(`Demo failed: ${error instanceof Error ? error.message : error}`);
}
cleanUp();
