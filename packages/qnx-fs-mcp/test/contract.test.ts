import { fileURLToPath } from "node:url";
import {
  describeServerContract,
  installPacked,
  nodeBinaries,
  type Refusal,
} from "@mcp-file-servers/core/testing";
import { afterAll } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { app } from "../src/app.ts";
import { arrangeBench, type BenchWorld, listedNames } from "./bench-world.ts";
import { searchCalls, searchRefusals, searchWalks } from "./search-contract.ts";
import { transferCalls, transferRefusals } from "./transfer-contract.ts";

/** Targets that cannot be used, by the code that says why. */
const badTargets = {
  TARGET_NOT_ALLOWED: "nobody",
  TARGET_UNREACHABLE: "off",
  HANDSHAKE_FAILED: "old",
  AUTH_FAILED: "wrong-password",
  KEY_ENCRYPTED: "encrypted",
  KEY_UNREADABLE: "no-key",
  HOST_KEY_UNKNOWN: "unknown",
  HOST_KEY_CHANGED: "changed",
  SFTP_MISSING: "no-sftp",
  CONNECTION_LOST: "drops",
};

/** Paths on a good target that cannot be listed, by the code that says why. */
const badLists = {
  PATH_NOT_NORMALISED: { path: "/srv/names/" },
  OUTSIDE_ROOTS: { path: "/srv/out" },
  NOT_FOUND: { path: "/srv/nowhere" },
  NOT_A_DIRECTORY: { path: "/srv/small/a" },
  PERMISSION_DENIED: { path: "/srv/locked" },
  REFUSED_BY_TARGET: { path: "/srv/vague" },
  NAME_NOT_UTF8: { path: "/srv/lossy" },
  PATTERN_TOO_COSTLY: { path: "/srv/names", pattern: "*a*b*c*d*" },
};

/** Paths that cannot be read. */
const badReads = {
  PATH_NOT_NORMALISED: { path: "/srv/small/../a" },
  OUTSIDE_ROOTS: { path: "/srv/out/passwd" },
  NOT_FOUND: { path: "/srv/nowhere" },
  NOT_A_FILE: { path: "/srv/small" },
  PERMISSION_DENIED: { path: "/srv/locked/x" },
  REFUSED_BY_TARGET: { path: "/srv/vague" },
  NAME_NOT_UTF8: { path: "/srv/lossy" },
};

/** The arguments of each tool that changes a path, but for the path. */
const changes: Readonly<Record<string, object>> = {
  dir_create: {},
  file_move: { new_path: "/scratch/x" },
  file_set_mode: { mode: "0644" },
  file_delete: {},
};

/** Paths at which nothing can be changed. */
const badChanges = {
  PATH_NOT_NORMALISED: "/scratch//x",
  OUTSIDE_ROOTS: "/etc/x",
  NOT_FOUND: "/scratch/none/x",
  PERMISSION_DENIED: "/scratch/locked/x",
  REFUSED_BY_TARGET: "/scratch/vague/x",
  NAME_NOT_UTF8: "/scratch/lossy/x",
};

/** What one tool alone refuses. */
const special: readonly (readonly [tool: string, code: string, args: object])[] = [
  ["dir_create", "NOT_A_DIRECTORY", { path: "/scratch/a/x" }],
  ["dir_create", "IS_LINK", { path: "/scratch/l" }],
  ["dir_create", "ALREADY_EXISTS", { path: "/scratch/a" }],
  ["dir_create", "NO_SPACE", { target: "full", path: "/tmp/x" }],
  ["file_move", "NOT_A_FILE", { path: "/scratch/a", new_path: "/scratch/sub", overwrite: true }],
  ["file_move", "ALREADY_EXISTS", { path: "/scratch/a", new_path: "/scratch/b" }],
  ["file_move", "OUTCOME_UNKNOWN", { target: "breaks", path: "/scratch/a", new_path: "/scratch/c" }],
  ["file_set_mode", "IS_LINK", { path: "/scratch/l", mode: "0644" }],
];

const refusals: Refusal<BenchWorld>[] = [
  ...searchRefusals(badTargets),
  ...transferRefusals(badTargets),
  ...Object.entries(badTargets).flatMap(([code, target]) => [
    { tool: "file_list", code, args: () => ({ target, path: "/etc" }) },
    { tool: "file_stat", code, args: () => ({ target, paths: ["/etc/hosts"] }) },
    { tool: "file_read", code, args: () => ({ target, path: "/etc/hosts" }) },
    ...Object.entries(changes).map(([tool, more]) => ({
      tool,
      code,
      args: () => ({ target, path: "/scratch/a", ...more }),
    })),
  ]),
  ...Object.entries(badLists).map(([code, args]) => ({
    tool: "file_list",
    code,
    args: () => ({ target: "tb", ...args }),
  })),
  ...Object.entries(badChanges).flatMap(([code, path]) =>
    Object.entries(changes).map(([tool, more]) => ({
      tool,
      code,
      args: () => ({ target: "tb", path, ...more }),
    })),
  ),
  ...special.map(([tool, code, args]) => ({ tool, code, args: () => ({ target: "tb", ...args }) })),
  ...Object.entries(badReads).map(([code, args]) => ({
    tool: "file_read",
    code,
    args: () => ({ target: "tb", ...args }),
  })),
];

// As users get it: packed, and installed alone in an empty folder.
const packed = await installPacked(fileURLToPath(new URL("..", import.meta.url)));
afterAll(packed.dispose);

describeServerContract<BenchWorld>(
  {
    manifest,
    bin: packed.bin,
    golden: fileURLToPath(new URL("golden/tools.json", import.meta.url)),
    tools: app.tools,
    arrange: arrangeBench,
    calls: {
      ...searchCalls,
      ...transferCalls,
      target_list: () => ({ probe: true }),
      file_list: () => ({ target: "tb", path: "/srv/small" }),
      dir_create: () => ({ target: "tb", path: "/scratch/new" }),
      file_delete: () => ({ target: "tb", path: "/scratch/gone" }),
      file_move: () => ({ target: "tb", path: "/scratch/moved", new_path: "/scratch/here" }),
      file_set_mode: () => ({ target: "tb", path: "/scratch/a", mode: "0600" }),
      file_read: () => ({ target: "tb", path: "/srv/small/a" }),
      file_stat: () => ({ target: "tb", paths: ["/srv/small/l", "/srv/nowhere", "/etc/passwd", "/srv//x"] }),
    },
    refusals,
    walks: [
      ...searchWalks,
      {
        tool: "file_list",
        args: () => ({ target: "tb", path: "/srv/names" }),
        limit: "max_entries",
        list: "entries",
        key: (entry) => String(entry.name),
        expected: () => listedNames,
        other: () => ({ target: "tb", path: "/srv/small" }),
      },
      {
        tool: "file_list",
        args: () => ({ target: "tb", path: "/srv/names", order: "desc", types: ["file"], pattern: "core-*" }),
        limit: "max_entries",
        list: "entries",
        key: (entry) => String(entry.name),
        expected: () => listedNames.toReversed(),
        other: () => ({ target: "tb", path: "/srv/names", order: "asc", types: ["file"], pattern: "core-*" }),
      },
    ],
    badStarts: [
      {
        what: "a configuration with a misspelt key",
        args: ({ folder }) => ["--config", `${folder}/bad.yaml`],
        says: /bad\.yaml:3: targets\.tb\.hots: unknown key, perhaps meant host; accepted: /,
      },
      {
        what: "a named configuration that is not there",
        args: ({ folder }) => ["--config", `${folder}/none.yaml`],
        says: /none\.yaml: there is no such configuration file/,
      },
      {
        what: "a configuration that is a directory",
        args: ({ folder }) => ["--config", `${folder}/directory.yaml`],
        says: /directory\.yaml: is a directory/,
      },
      {
        what: "a target name that cannot be one",
        args: () => ["--allow", "My Target"],
        says: /--allow "My Target"/,
      },
    ],
  },
  nodeBinaries(process),
);
