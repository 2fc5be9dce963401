/**
 * Builds the server whose package is the current directory: src/main.ts → dist/main.js and its chunks.
 * Every `src/**\/*.worker.ts` becomes dist/NAME.worker.js beside it.
 */
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build, transform } from "esbuild";
import { bundleOptions } from "./bundle-options.mjs";
import { leaveOut } from "./leave-out.mjs";
import { thirdPartyNotices } from "./third-party-notices.mjs";
import { readJson } from "./workspace.mjs";

const directory = process.cwd();
const dist = path.join(directory, "dist");
const workers = readdirSync(path.join(directory, "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".worker.ts"))
  .map((file) => ({ in: path.join("src", file), out: path.basename(file, ".ts") }));

const result = await build({
  ...bundleOptions,
  plugins: [leaveOut],
  absWorkingDir: directory,
  entryPoints: [{ in: "src/main.ts", out: "main" }, ...workers],
  outdir: "dist",
  chunkNames: "[name]-[hash]",
  metafile: true,
  write: false,
}).catch(() => {
  // esbuild has told the errors.
  process.exit(1);
});
if (result.warnings.length > 0) {
  console.error("bundle: warnings count as errors");
  process.exit(1);
}

/** @type {Map<string, string>} */
const files = new Map();
for (const file of result.outputFiles) {
  const name = path.basename(file.path);
  files.set(name, isLibraries(name) ? await withoutIndentation(file.text) : file.text);
}
const main = files.get("main.js");
if (main === undefined) throw new Error("src/main.ts gave no dist/main.js");
files.set("main.js", main.startsWith("#!") ? main : `#!/usr/bin/env node\n${main}`);
files.set("THIRD_PARTY_NOTICES.txt", thirdPartyNotices(result.metafile, directory));

// New files first, each at once in its place, then the stale ones: a server may be started during a build.
mkdirSync(dist, { recursive: true });
for (const [name, text] of files) {
  const temporary = path.join(dist, `.${name}.${process.pid}`);
  writeFileSync(temporary, text);
  if (name === "main.js") chmodSync(temporary, 0o755);
  renameSync(temporary, path.join(dist, name));
}
for (const name of readdirSync(dist)) {
  if (!files.has(name)) rmSync(path.join(dist, name), { recursive: true });
}

const code = [...files].filter(([name]) => name.endsWith(".js"));
const bytes = code.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0);
const zipped = gzipSync(code.map(([, text]) => text).join("")).length;
const { name, version } = readJson(path.join(directory, "package.json"));
const start = Buffer.byteLength(files.get("main.js") ?? "");
console.log(
  `${name} ${version}: ${code.length} files, ${kilobytes(bytes)} (${kilobytes(zipped)} gzipped), main.js ${kilobytes(start)}`,
);

/** @param {number} count */
function kilobytes(count) {
  return `${Math.ceil(count / 1000)} kB`;
}

/** Whether a file of the bundle holds mostly libraries, so that few stacks lead into it. @param {string} name */
function isLibraries(name) {
  const { inputs, bytes } = result.metafile.outputs[path.join("dist", name)] ?? { inputs: {}, bytes: 1 };
  const libraries = Object.entries(inputs).filter(([input]) => input.includes("node_modules/"));
  return libraries.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0) > 0.7 * bytes;
}

/** Names stay, so stacks can be read; a tenth of the tarball is indentation. @param {string} text */
async function withoutIndentation(text) {
  return (await transform(text, { format: "esm", minifyWhitespace: true })).code;
}
