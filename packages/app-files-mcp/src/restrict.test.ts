import { describe, expect, test } from "vitest";
import { createAppPolicy } from "./domain/app-name.ts";
import { restrict } from "./restrict.ts";
import { createToolBench } from "./testing/tool-bench.ts";

const { deps } = createToolBench();
const offered = { readOnly: false, disk: true };
const see = (scope: Record<string, never>, readOnly = false, allowed: readonly string[] = []) =>
  restrict({ name: "t", readOnly, scope }, undefined, { ...deps, policy: createAppPolicy(allowed) }, offered);
const toolsOf = (scope: object, readOnly = false) =>
  see(scope as Record<string, never>, readOnly).app.tools.map(({ name }) => name);

describe("a token", () => {
  test.each([
    [{}, [], ["notes", "team-a", "secret"]],
    [{ apps: ["notes", "team-*"] }, [], ["notes", "team-a"]],
    [{ apps: ["team-*"] }, ["notes", "*-a"], ["team-a"]],
    [{ apps: [] }, [], []],
    [{ apps: "notes" }, [], []],
    [{ apps: [7] }, [], []],
    [{ apps: ["Not a name"] }, [], []],
    [{ apps: true }, [], []],
  ])("of scope %j on a server with --allow-app %j reaches %j", (scope, allowed, reached) => {
    const { policy } = see(scope as Record<string, never>, false, allowed).deps;
    expect(["notes", "team-a", "secret"].filter(policy.allows)).toEqual(reached);
  });

  test("reaches the disk unless it is limited, or where it says so", () => {
    const disk = ["file_import", "file_export"];
    expect(toolsOf({})).toEqual(expect.arrayContaining(disk));
    expect(toolsOf({ apps: ["notes"], local: true })).toEqual(expect.arrayContaining(disk));
    for (const scope of [{ local: false }, { apps: ["notes"] }, { apps: ["notes"], local: ["true"] }]) {
      expect(toolsOf(scope).filter((name) => disk.includes(name))).toEqual([]);
    }
  });

  test("that may only read gets no tool that changes the store", () => {
    const { tools } = see({}, true).app;
    expect(tools.length).toBeGreaterThan(2);
    expect(tools.filter(({ effect, name }) => effect !== "read" && name !== "file_export")).toEqual([]);
  });
});
