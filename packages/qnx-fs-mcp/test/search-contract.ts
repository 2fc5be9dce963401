import type { Refusal, ServerContract } from "@mcp-file-servers/core/testing";
import { type BenchWorld, listedNames } from "./bench-world.ts";

type Calls = ServerContract<BenchWorld>["calls"];

/** The tools that look for things, each with what it needs besides target and path. */
const searches: Readonly<Record<string, object>> = {
  file_find: {},
  file_grep: { pattern: "0" },
  disk_usage: {},
  file_watch: { timeout_s: 1 },
};

const onAll = {
  PATH_NOT_NORMALISED: "/srv/names/",
  OUTSIDE_ROOTS: "/srv/out",
  NOT_FOUND: "/srv/nowhere/x",
  PERMISSION_DENIED: "/srv/locked/x",
  REFUSED_BY_TARGET: "/srv/vague",
  NAME_NOT_UTF8: "/srv/lossy",
};

const special: readonly (readonly [tool: string, code: string, args: object])[] = [
  ["file_find", "NOT_A_DIRECTORY", { path: "/srv/small/a" }],
  ["file_find", "PATTERN_TOO_COSTLY", { path: "/srv/names", pattern: "*a*b*c*d*" }],
  ["file_grep", "NOT_A_FILE", { path: "/srv/pipe", pattern: "0" }],
  ["file_grep", "PATTERN_TOO_COSTLY", { path: "/srv/names", pattern: "(a{1000}){1000}", regex: true }],
  ["disk_usage", "NOT_A_DIRECTORY", { path: "/srv/small/a", tree: true }],
  ["file_hash", "LOCAL_PATH_REFUSED", { paths: ["/srv/small/a"], local_path: "/etc/hosts" }],
  ["file_watch", "PATTERN_TOO_COSTLY", { path: "/srv/names", pattern: "*a*b*c*d*", timeout_s: 1 }],
];

/** A call for every code that the tools declare that look for things. */
export function searchRefusals(badTargets: Readonly<Record<string, string>>): Refusal<BenchWorld>[] {
  return [
    ...Object.entries(searches).flatMap(([tool, more]) => [
      ...Object.entries(badTargets).map(([code, target]) => ({
        tool,
        code,
        args: () => ({ target, path: "/etc", ...more }),
      })),
      ...Object.entries(onAll).map(([code, path]) => ({
        tool,
        code,
        args: () => ({ target: "tb", path, ...more }),
      })),
    ]),
    ...Object.entries(badTargets).map(([code, target]) => ({
      tool: "file_hash",
      code,
      args: () => ({ target, paths: ["/etc/hosts"] }),
    })),
    ...special.map(([tool, code, args]) => ({ tool, code, args: () => ({ target: "tb", ...args }) })),
  ];
}

export const searchCalls: Calls = {
  file_find: () => ({ target: "tb", path: "/srv", newer_than: "2026-01-01", types: ["file"], sort: "size" }),
  file_grep: () => ({ target: "tb", path: "/srv/small", pattern: "^0", regex: true, context: 1 }),
  disk_usage: () => ({ target: "tb", path: "/srv/names", tree: true }),
  file_hash: () => ({ target: "tb", paths: ["/srv/small/a", "/srv/small/none", "/srv/pipe"] }),
  file_watch: () => ({ target: "tb", path: "/srv/small", timeout_s: 1 }),
};

const inNames = (names: readonly string[]): string[] => names.map((name) => `/srv/names/${name}`);

export const searchWalks: ServerContract<BenchWorld>["walks"] = [
  {
    tool: "file_find",
    args: () => ({ target: "tb", path: "/srv/names" }),
    list: "entries",
    key: (entry) => String(entry.path),
    expected: () => inNames(listedNames),
    other: () => ({ target: "tb", path: "/srv/small" }),
  },
  {
    tool: "file_find",
    args: () => ({ target: "tb", path: "/srv/names", sort: "mtime", order: "asc" }),
    list: "entries",
    key: (entry) => String(entry.path),
    expected: () => inNames(listedNames),
    other: () => ({ target: "tb", path: "/srv/names", sort: "mtime", order: "desc" }),
  },
  {
    tool: "file_grep",
    args: () => ({ target: "tb", path: "/srv/names", pattern: "0" }),
    list: "matches",
    key: (match) => String(match.path),
    // Every seventh file is empty.
    expected: () => inNames(listedNames.filter((_, index) => (listedNames.length - 1 - index) % 7 !== 0)),
    other: () => ({ target: "tb", path: "/srv/names", pattern: "1" }),
  },
];
