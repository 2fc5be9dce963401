/**
 * Proves the import rules of biome.json: lints one small file for each boundary and expects the linter to
 * refuse it, and one for each allowed direction and expects silence.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { root, toolFile } from "./workspace.mjs";

const server = "packages/vault-mcp/src";
const imports = "lint/style/noRestrictedImports";
const globals = "lint/style/noRestrictedGlobals";

/** File → [module that it imports, or code; the rule that must refuse it, or undefined]. */
const cases = [
  ["domain", "zod", imports],
  ["domain", "node:fs", imports],
  ["domain", "node:fs/promises", imports],
  ["domain", "fs", imports],
  ["domain", "node:net", imports],
  ["domain", "node:child_process", imports],
  ["domain", "ssh2", imports],
  ["domain", "@mcp-file-servers/core", imports],
  ["domain", "@mcp-file-servers/sqlite", imports],
  ["domain", "@modelcontextprotocol/sdk/types.js", imports],
  ["domain", "../adapters/disk.ts", imports],
  ["domain", "../tools/list.ts", imports],
  ["domain", "../app.ts", imports],
  ["domain", "../../../qnx-fs-mcp/src/domain/path.ts", imports],
  ["domain", "./other.ts"],
  ["domain", "../domain/other.ts"],
  ["domain", "@mcp-file-servers/glob"],
  ["domain", "fastest-levenshtein"],
  ["domain", "node:crypto"],
  ["adapters", "zod", imports],
  ["adapters", "@mcp-file-servers/core", imports],
  ["adapters", "@modelcontextprotocol/sdk/types.js", imports],
  ["adapters", "../tools/list.ts", imports],
  ["adapters", "../app.ts", imports],
  ["adapters", "../main.ts", imports],
  ["adapters", "app-files-mcp", imports],
  ["adapters", "../domain/port.ts"],
  ["adapters", "@mcp-file-servers/sqlite"],
  ["adapters", "node:fs"],
  ["tools", "../adapters/disk.ts", imports],
  ["tools", "./other-tool.ts", imports],
  ["tools", "../app.ts", imports],
  ["tools", "node:fs", imports],
  ["tools", "@modelcontextprotocol/sdk/types.js", imports],
  ["tools", "../../../app-files-mcp/src/domain/path.ts", imports],
  ["tools", "./define.ts"],
  ["tools", "./failures.ts"],
  ["tools", "./entry-schema.ts"],
  ["tools", "../domain/port.ts"],
  ["tools", "@mcp-file-servers/core"],
  ["tools", "zod"],
  ["tools", "node:process", imports],
  ["app", "./adapters/disk.ts", imports],
  ["app", "@modelcontextprotocol/sdk/types.js", imports],
  ["app", "./tools/list.ts"],
  ["config", "./adapters/disk.ts", imports],
  ["resources", "./adapters/disk.ts", imports],
  ["resources", "./domain/port.ts"],
  ["main", "@modelcontextprotocol/sdk/types.js", imports],
  ["main", "./adapters/disk.ts"],
  ["packages/core/src/tool", "@modelcontextprotocol/sdk/types.js", imports],
  ["packages/core/src/tool", "@mcp-file-servers/glob", imports],
  ["packages/core/src/tool", "vault-mcp", imports],
  ["packages/core/src/server", "@modelcontextprotocol/sdk/types.js"],
  ["packages/core/src/message", "@modelcontextprotocol/sdk/types.js"],
  ["packages/core/src/stdio", "@modelcontextprotocol/sdk/types.js"],
  ["packages/core/src/http/http-sessions", "@modelcontextprotocol/sdk/types.js"],
  ["packages/core/src/testing/client", "@modelcontextprotocol/sdk/types.js"],
  ["packages/glob/src/glob", "@mcp-file-servers/core", imports],
  ["packages/sqlite/src/sqlite", "zod", imports],
  ["domain", { code: "export const home = process.cwd();" }, globals],
  ["tools", { code: "export const home = process.cwd();" }, globals],
  ["config", { code: "export const home = process.cwd();" }, globals],
  ["packages/core/src/run", { code: "export const home = process.cwd();" }, globals],
  ["main", { code: "export const home = process.cwd();" }],
  ["domain", { code: "export default 1;" }, "lint/style/noDefaultExport"],
  ["domain", { code: "export enum Colour {\n  Red,\n}" }, "lint/style/noEnum"],
  ["domain", { code: 'export { a } from "./a.ts";' }, "lint/performance/noBarrelFile"],
  ["domain/BadName", { code: "export const a = 1;" }, "lint/style/useFilenamingConvention"],
];

const folder = mkdtempSync(path.join(tmpdir(), "boundaries-"));
try {
  copyFileSync(path.join(root, "biome.json"), path.join(folder, "biome.json"));
  const files = cases.map(([place, what], index) => {
    const file = fileOf(String(place), index);
    const code =
      typeof what === "string" ? `import { a } from "${what}";\n\nexport const b = a;` : what?.code;
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), `${code}\n`);
    return file;
  });
  const lint = spawnSync(
    process.execPath,
    [toolFile("@biomejs/biome", "biome"), "lint", "--max-diagnostics=none", "--reporter=json", "."],
    { cwd: folder, encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } },
  );
  /** @type {{ category: string, location: { path: string } }[]} */
  const diagnostics = JSON.parse(lint.stdout).diagnostics;
  const faults = cases.flatMap(([place, what, expected], index) => {
    const found = diagnostics
      .filter(({ location }) => path.normalize(location.path) === files[index])
      .map(({ category }) => category);
    const right = expected === undefined ? found.length === 0 : found.includes(String(expected));
    if (right) return [];
    const subject = typeof what === "string" ? `import of ${what}` : JSON.stringify(what);
    return [
      `${place}: ${subject}: expected ${expected ?? "silence"}, the linter said ${found.join(", ") || "nothing"}`,
    ];
  });
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
  else console.log(`${cases.length} boundaries hold`);
} finally {
  rmSync(folder, { recursive: true });
}

/** A file of its own for each case, but where its very name is what the rules know. @param {string} place @param {number} index */
function fileOf(place, index) {
  if (place.startsWith("packages/core/src/")) {
    return /\/(server|message|stdio|http-sessions)$/.test(place) ? `${place}.ts` : `${place}-${index}.ts`;
  }
  if (place.startsWith("packages/")) return `${place}-${index}.ts`;
  if (place.includes("/")) return `${server}/${place}.ts`;
  // The files of a server's root: as many servers as cases, since the name must stay.
  if (["app", "config", "resources", "main"].includes(place)) return `packages/s${index}-mcp/src/${place}.ts`;
  return `${server}/${place}/case-${index}.ts`;
}
