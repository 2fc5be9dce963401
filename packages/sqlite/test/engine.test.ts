import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bundleScript } from "../src/testing/index.ts";

/** By version, not by what the code says: Node 22.13 and later have their own. */
const hasOwn = isBuiltin("node:sqlite");

let folder: string;
let script: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "engine-"));
  script = await bundleScript(new URL("children/engine-report.ts", import.meta.url), folder);
});

afterEach(() => rm(folder, { recursive: true }));

/** Runs the script without the search path that package managers set. */
function report(...args: string[]): unknown {
  return JSON.parse(execFileSync(process.execPath, [script, ...args], { env: {}, encoding: "utf8" }));
}

test("takes Node's own SQLite where there is one, else libsql", () => {
  const expected = hasOwn ? "node:sqlite" : "libsql";
  expect(report()).toEqual({ found: expected, outcome: expected });
});

test("finds Node's own alone where libsql is not installed", async () => {
  await rm(join(folder, "node_modules"));
  expect(report()).toEqual(
    hasOwn
      ? { found: "node:sqlite", outcome: "node:sqlite" }
      : { found: null, outcome: "MissingEngineError" },
  );
});

test("says that libsql does not work where its binary does not load", async () => {
  await rm(join(folder, "node_modules"));
  await mkdir(join(folder, "node_modules", "libsql"), { recursive: true });
  await writeFile(
    join(folder, "node_modules", "libsql", "index.js"),
    "throw new Error('no binary for this system')",
  );
  expect(report("libsql")).toEqual({
    found: hasOwn ? "node:sqlite" : "libsql",
    outcome: "MissingEngineError",
  });
});
