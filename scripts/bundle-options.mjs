/**
 * How esbuild makes an ES module for Node of our sources and of libraries in either module format. Shared by
 * what is shipped and what the demo runs.
 *
 * @satisfies {import("esbuild").BuildOptions}
 */
export const bundleOptions = {
  bundle: true,
  splitting: true,
  treeShaking: true,
  format: /** @type {const} */ ("esm"),
  platform: /** @type {const} */ ("node"),
  target: "node20.19",
  // ES modules where a library has both: they can be tree-shaken.
  mainFields: ["module", "main"],
  // Native helpers are not shipped, libsql is an optional peer: resolved at run time or done without.
  external: ["*.node", "cpu-features", "libsql"],
  // CommonJS inside an ES module: esbuild's shim looks for `require`; the other two get names of our own.
  define: { __filename: "bundledFilename$", __dirname: "bundledDirname$" },
  banner: {
    js: [
      'import { createRequire as createRequire$ } from "node:module";',
      'import { fileURLToPath as fileUrlToPath$ } from "node:url";',
      "const require = createRequire$(import.meta.url);",
      "const bundledFilename$ = fileUrlToPath$(import.meta.url);",
      'const bundledDirname$ = fileUrlToPath$(new URL(".", import.meta.url));',
    ].join("\n"),
  },
  logLevel: /** @type {const} */ ("warning"),
};
