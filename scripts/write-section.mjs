import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "./workspace.mjs";

/** Puts a text in its marked place in docs/benchmarks.md. @param {string} name @param {string} content */
export function writeSection(name, content) {
  const file = path.join(root, "docs/benchmarks.md");
  const text = readFileSync(file, "utf8");
  const section = new RegExp(`(<!-- ${name}: written by the command above -->\\n)[\\s\\S]*?(<!-- end -->)`);
  if (!section.test(text)) throw new Error(`${file} has no place for ${name}`);
  writeFileSync(
    file,
    text.replace(section, (_, before, after) => `${before}${content}\n${after}`),
  );
}
